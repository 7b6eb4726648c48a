// The last results of a test as a row of squares, the newest on the right. Height tells them apart as well as colour.

import { svg } from '../view/element.js';
import { lookOf } from '../view/mark.js';

const HEIGHTS = { passed: 8, flaky: 12, inconclusive: 14, failed: 18, error: 18, 'not-run': 4 };

/** `results`: the newest first. */
export function strip(results, most = 20) {
  const shown = results.slice(0, most).reverse();
  const kinds = shown.map((result) => (result.flaky ? 'flaky' : lookOf(result.verdict)));
  const red = kinds.filter((kind) => kind !== 'passed').length;
  const label = `Last ${shown.length} results: ${shown.length - red} passed, ${red} did not`;
  return svg('svg', { class: 'strip', viewBox: `0 0 ${shown.length * 8} 18`, width: shown.length * 8, height: 18, role: 'img', 'aria-label': label },
    kinds.map((kind, at) => svg('rect', { class: `fill-${kind}`, x: at * 8, y: 18 - HEIGHTS[kind], width: 6, height: HEIGHTS[kind], rx: 1 })));
}
