// A chart answers the question in its title: in a sentence, in a drawing, and as a table.

import { freshId, h } from '../view/element.js';
import { table } from '../view/parts.js';

/** `answer`: one sentence. `columns`, `rows`: the same numbers as a table. */
export function figure(question, answer, drawing, columns, rows) {
  const id = freshId('chart');
  drawing.setAttribute('role', 'img');
  drawing.setAttribute('aria-label', answer);
  return h('figure', { class: 'box chart', 'aria-labelledby': id },
    h('figcaption', {}, h('h2', { id }, question), h('p', {}, answer)),
    drawing,
    h('details', {}, h('summary', {}, 'Numbers'), table(question, columns, rows)));
}

/** The colours and words of parts of a chart. */
export function legend(entries) {
  return h('ul', { class: 'legend' }, entries.map(([kind, words]) => h('li', {}, h('span', { class: `swatch fill-${kind}` }), words)));
}
