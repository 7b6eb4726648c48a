// The parts of a whole, as one bar.

import { svg } from '../view/element.js';
import { figure, legend } from './figure.js';

/** `pieces`: `[kind, words, number]`. */
export function shareChart(question, answer, pieces) {
  const shown = pieces.filter(([, , number]) => number > 0);
  const drawing = shareBar(shown);
  const drawn = figure(question, answer, drawing, [['What', ([, words]) => words], ['Count', ([, , number]) => number, 'number']], pieces);
  drawing.after(legend(shown.map(([kind, words, number]) => [kind, `${number} ${words}`])));
  return drawn;
}

/** Only the bar, for places that say the numbers themselves. */
export function shareBar(pieces) {
  const all = pieces.reduce((sum, [, , number]) => sum + number, 0) || 1;
  let at = 0;
  const parts = pieces.map(([kind, words, number]) => {
    const width = (number / all) * 1000;
    const piece = svg('rect', { class: `fill-${kind}`, x: at, y: 0, width: Math.max(0, width - 2), height: 14 }, svg('title', {}, `${number} ${words}`));
    at += width;
    return piece;
  });
  return svg('svg', { viewBox: '0 0 1000 14', preserveAspectRatio: 'none', class: 'share' }, parts);
}
