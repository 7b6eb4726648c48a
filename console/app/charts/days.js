// Results day by day, as bars of passed and other results.

import { h, svg } from '../view/element.js';
import { count, percent } from '../view/time.js';
import { figure, legend } from './figure.js';

const KINDS = ['passed', 'inconclusive', 'failed', 'errors'];
const FILL = { passed: 'passed', inconclusive: 'inconclusive', failed: 'failed', errors: 'error' };
const WIDTH = 640;
const HEIGHT = 150;

/** `days`: `{day, passed, failed, inconclusive, errors, flaky}`, the oldest first. */
export function daysChart(question, days) {
  const totals = days.map((day) => KINDS.reduce((sum, kind) => sum + day[kind], 0));
  const most = Math.max(1, ...totals);
  const slot = WIDTH / days.length;
  const bars = days.map((day, at) => {
    let below = HEIGHT;
    const pieces = KINDS.filter((kind) => day[kind] > 0).map((kind) => {
      const height = Math.max(2, (day[kind] / most) * (HEIGHT - 8));
      below -= height;
      return svg('rect', { class: `fill-${FILL[kind]}`, x: at * slot + slot * 0.15, y: below, width: slot * 0.7, height: Math.max(1, height - 1), rx: 1.5 });
    });
    return svg('g', {}, svg('title', {}, `${day.day}: ${words(day)}`), svg('rect', { class: 'bar-back', x: at * slot, y: 0, width: slot, height: HEIGHT }), pieces);
  });
  const drawing = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'drawing', preserveAspectRatio: 'none' }, bars,
    svg('line', { class: 'axis', x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT }));
  const columns = [['Day', (day) => day.day], ...[...KINDS, 'flaky'].map((kind) => [kind, (day) => day[kind], 'number'])];
  const drawn = figure(question, answerOf(days, totals), drawing, columns, days.filter((day, at) => totals[at] > 0));
  drawing.after(ticks(days), legend([['passed', 'passed'], ['inconclusive', 'inconclusive'], ['failed', 'failed'], ['error', 'error']]));
  return drawn;
}

function words(day) {
  const said = KINDS.filter((kind) => day[kind] > 0).map((kind) => `${day[kind]} ${kind}`);
  return said.length ? said.join(', ') : 'no results';
}

function answerOf(days, totals) {
  const results = totals.reduce((sum, one) => sum + one, 0);
  if (!results) return 'No test ran.';
  const passed = days.reduce((sum, day) => sum + day.passed, 0);
  const half = Math.floor(days.length / 2);
  const rate = (from, to) => {
    const of = totals.slice(from, to).reduce((sum, one) => sum + one, 0);
    return of ? days.slice(from, to).reduce((sum, day) => sum + day.passed, 0) / of : null;
  };
  const [before, now] = [rate(0, half), rate(half)];
  const share = `${percent(passed / results)} of ${count(results, 'result')} passed`;
  if (before === null || now === null) return `${share}.`;
  const change = Math.round((now - before) * 100);
  if (change === 0) return `${share}, as before.`;
  return `${share}; ${count(Math.abs(change), 'percentage point')} ${change > 0 ? 'up' : 'down'} in the last ${days.length - half} days.`;
}

/** The first, the middle and the last day below a drawing. */
export function ticks(days) {
  const at = [...new Set([0, Math.floor(days.length / 2), days.length - 1])];
  return h('div', { class: 'ticks', 'aria-hidden': 'true' }, at.map((one) => h('span', {}, shortDay(days[one].day))));
}

function shortDay(day) {
  return new Date(`${day}T12:00:00`).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

/** Room for a chart that has no numbers yet. */
export function noChart(question, says) {
  return h('figure', { class: 'box chart' }, h('figcaption', {}, h('h2', {}, question), h('p', { class: 'quiet' }, says)));
}
