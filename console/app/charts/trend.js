// One number day by day, as a line.

import { svg } from '../view/element.js';
import { ticks } from './days.js';
import { figure } from './figure.js';

const WIDTH = 640;
const HEIGHT = 110;

/** `points`: `{day, value, of}`; a day without results is a gap. */
export function trendChart(question, answer, points, unit) {
  const most = Math.max(1, ...points.map((point) => point.value ?? 0));
  const x = (at) => (points.length > 1 ? (at / (points.length - 1)) * (WIDTH - 12) + 6 : WIDTH / 2);
  const y = (value) => HEIGHT - 6 - (value / most) * (HEIGHT - 14);
  const known = points.map((point, at) => ({ ...point, at })).filter((point) => point.value !== null);
  const path = known.map((point, at) => `${at ? 'L' : 'M'}${x(point.at).toFixed(1)} ${y(point.value).toFixed(1)}`).join('');
  const area = known.length > 1 ? `${path}L${x(known.at(-1).at)} ${HEIGHT}L${x(known[0].at)} ${HEIGHT}Z` : '';
  // A dot is a line without length: its round ends keep their shape while the drawing is stretched.
  const dot = (point) => svg('path', { class: 'trend-dot', d: `M${x(point.at).toFixed(1)} ${y(point.value).toFixed(1)}h0` }, svg('title', {}, `${point.day}: ${point.value} ${unit}`));
  const drawing = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT + 4}`, class: 'drawing', preserveAspectRatio: 'none' },
    svg('line', { class: 'axis', x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT }),
    svg('path', { class: 'trend-area', d: area }), svg('path', { class: 'trend-line', d: path }), known.map(dot));
  const drawn = figure(question, answer, drawing, [['Day', (point) => point.day], [unit, (point) => point.value, 'number'], ['results', (point) => point.of, 'number']], known);
  drawing.after(ticks(points));
  return drawn;
}
