// Home: what is red, what is new, and how the project is going.

import { read } from '../api/client.js';
import { page } from '../api/paths.js';
import { daysChart, noChart } from '../charts/days.js';
import { confirmedChart } from '../charts/confirmed.js';
import { trendChart } from '../charts/trend.js';
import { orderForRed } from '../runs/actions.js';
import { runDialog, startRun } from '../runs/starting.js';
import { runRows } from '../runs/rows.js';
import { whyNot } from '../shell/caller.js';
import { h, put } from '../view/element.js';
import { mark } from '../view/mark.js';
import { say } from '../shell/said.js';
import { box, button, head } from '../view/parts.js';
import { ago, count } from '../view/time.js';
import { empty, sentence } from '../view/trouble.js';

const LISTED = 8;
const REFRESH = 15_000;

export async function open(place) {
  const live = h('div', { class: 'home' });
  const overview = await read('/server/overview', {}, place.signal);
  const runs = read('/server/runs', { limit: 6 }, place.signal);
  place.show('Home', summary(overview), live);
  const main = h('div', { class: 'home-main' });
  const side = h('div', { class: 'home-side' });
  put(live, main, side);
  put(main, redBox(overview), newBox(overview), daysBox(overview), flakyBox(overview));
  const latest = h('div');
  put(side, box('What ran last?', latest, { more: h('a', { href: '/console/runs' }, 'All runs') }));
  const filled = fillSide(side, place.signal);
  put(latest, lastRuns(await runs));
  await filled;
  refresh(place, { main, latest, overview });
}

/** The answer to “is all well?” in one line. */
function summary(overview) {
  const red = overview.red.length;
  const title = overview.tests === 0 ? 'No runs yet' : red === 0 ? 'All tests passed' : `${count(red, 'test is', 'tests are')} red`;
  const says = overview.tests === 0 ? 'Run the tests to see how the application is doing.'
    : `${count(overview.tests, 'test')} ran in the last ${overview.days.length} days.${red > 0 ? ' Red tests failed, were inconclusive, or hit an error.' : ''}`;
  const actions = [
    button('Run tests…', () => runDialog(), { first: red === 0, key: 'n', whyNot: whyNot('run') }),
    red > 0 && button('Rerun red tests', (pressed) => startRun(orderForRed(overview.red), pressed), { first: true, whyNot: whyNot('run') }),
  ].filter(Boolean);
  return head(title, { says, actions });
}

function redBox(overview) {
  const { red } = overview;
  const content = red.length === 0 ? empty('No test is red.')
    : [h('ul', { class: 'rows', 'data-walk': true }, red.slice(0, LISTED).map(redRow)),
      red.length > LISTED && h('p', {}, h('a', { href: '/console/tests?show=red' }, `All ${red.length} red tests`))];
  return box('Which tests are red?', content);
}

function redRow(result) {
  return h('li', { class: 'row' }, mark(result.verdict),
    h('div', { class: 'row-main' },
      h('a', { href: page.testOfRun(result.run, result.id) }, result.name),
      h('p', { class: 'quiet clipped' }, result.reason)),
    h('span', { class: 'quiet row-end' }, result.since === result.at ? [ago(result.at)] : ['since ', ago(result.since)]));
}

function newBox(overview) {
  const broken = overview.red.filter((result) => result.was_passing).map((result) => ({ ...result, says: 'passed before' }));
  const fixed = overview.fixed.map((result) => ({ ...result, says: 'red before' }));
  const all = [...broken, ...fixed].sort((one, other) => other.at - one.at).slice(0, LISTED);
  const content = all.length === 0 ? empty('No test turned red or green lately.')
    : h('ul', { class: 'rows', 'data-walk': true }, all.map((result) => h('li', { class: 'row' }, mark(result.verdict),
      h('div', { class: 'row-main' }, h('a', { href: page.testOfRun(result.run, result.id) }, result.name), h('span', { class: 'quiet' }, ` — ${result.says}`)),
      h('span', { class: 'quiet row-end' }, ago(result.at)))));
  return box('Which tests changed?', content);
}

function daysBox(overview) {
  const question = `How did the last ${overview.days.length} days go?`;
  return overview.tests === 0 ? noChart(question, 'This chart appears after the first run.') : daysChart(question, overview.days);
}

function flakyBox(overview) {
  const question = 'Is the suite getting flakier?';
  if (overview.tests === 0) return noChart(question, 'This chart appears after the first run.');
  const points = overview.days.map((day) => {
    const of = day.passed + day.failed + day.inconclusive + day.errors;
    return { day: day.day, value: of ? day.flaky : null, of };
  });
  const half = Math.floor(points.length / 2);
  const sum = (some) => some.reduce((all, point) => all + (point.value ?? 0), 0);
  const [before, now] = [sum(points.slice(0, half)), sum(points.slice(half))];
  const total = before + now;
  if (total === 0) return noChart(question, 'No result was flaky.');
  const days = points.length - half;
  const answer = now === before ? `About the same: ${count(now, 'flaky result')} in each half of the time.`
    : `${now > before ? 'Yes' : 'No'}: ${count(now, 'flaky result')} in the last ${days} days, ${before} in the ${half} days before.`;
  return trendChart(question, answer, points, 'flaky results');
}

function lastRuns(found) {
  return found.items.length + found.waiting.length === 0 ? empty('No runs yet.') : runRows(found, { isShort: true });
}

/** Each part has its place at once, so that nothing moves when its answer comes. One that could not be read says so there. */
async function fillSide(side, signal) {
  const part = async (question, draw, path, query = {}) => {
    const waits = box(question, h('p', { class: 'quiet' }, 'Loading…'));
    side.append(waits);
    const drawn = await read(path, query, signal).then((found) => draw(question, found), (error) => box(question, h('p', { class: 'quiet' }, sentence(error.message))));
    waits.replaceWith(drawn);
  };
  await Promise.all([
    part('How many requirements do tests confirm?', coverageChart, '/server/coverage'),
    part('Which incidents are open?', incidentsBox, '/server/incidents', { status: 'open', limit: 5 }),
    part('What runs next?', schedulesBox, '/server/schedules', { limit: 100 }),
    part('Which devices are free?', devicesBox, '/server/devices'),
  ]);
}

function coverageChart(question, totals) {
  return totals.requirements === 0 ? noChart(question, 'The project has no requirements.') : confirmedChart(question, totals);
}

function incidentsBox(question, found) {
  const content = found.items.length === 0 ? empty('No incident is open.')
    : h('ul', { class: 'rows' }, found.items.map((one) => h('li', { class: 'row' }, mark(one.severity),
      h('div', { class: 'row-main' }, h('a', { href: page.incident(one.number) }, one.class || one.type), h('p', { class: 'quiet' }, one.device || one.host)),
      h('span', { class: 'quiet row-end' }, ago(one.last_at)))));
  return box(question, content, { more: h('a', { href: '/console/incidents' }, 'All incidents') });
}

function schedulesBox(question, found) {
  const next = found.items.filter((one) => one.next.length > 0).sort((one, other) => one.next[0].at - other.next[0].at).slice(0, 4);
  const content = next.length === 0 ? empty('Nothing is scheduled.')
    : h('ul', { class: 'rows' }, next.map((one) => h('li', { class: 'row is-plain' }, h('div', { class: 'row-main' }, one.name), h('span', { class: 'quiet row-end' }, ago(one.next[0].at)))));
  return box(question, content, { more: h('a', { href: '/console/schedules' }, 'All schedules') });
}

function devicesBox(question, found) {
  const content = found.items.length === 0 ? empty('No devices.')
    : h('ul', { class: 'rows' }, found.items.map((one) => h('li', { class: 'row' }, mark(one.state),
      h('div', { class: 'row-main' }, one.device), h('span', { class: 'quiet row-end' }, one.lock ? `in use by ${one.lock.owner}` : 'free'))));
  return box(question, content, { more: h('a', { href: '/console/devices' }, 'All devices') });
}

/** New results come in while the page is open; nothing moves while somebody reads a row with the keyboard. */
function refresh(place, { main, latest, overview }) {
  let known = JSON.stringify(overview);
  let knownRuns = '';
  const timer = setInterval(async () => {
    if (document.hidden || main.contains(document.activeElement)) return;
    try {
      const [next, runs] = await Promise.all([read('/server/overview', {}, place.signal), read('/server/runs', { limit: 6 }, place.signal)]);
      const ran = JSON.stringify(runs);
      if (ran !== knownRuns && !latest.contains(document.activeElement)) put(latest, lastRuns(runs));
      knownRuns = ran;
      if (JSON.stringify(next) === known) return;
      known = JSON.stringify(next);
      put(main, redBox(next), newBox(next), daysBox(next), flakyBox(next));
      const title = place.root.querySelector('h1');
      const now = summary(next).querySelector('h1').textContent;
      if (title.textContent === now) return;
      title.textContent = now;
      say(now);
    } catch {
      // The next look may reach the service again; what is shown has its times.
    }
  }, REFRESH);
  place.signal.addEventListener('abort', () => clearInterval(timer));
}
