// The lines of a run as they come: what assay did, and what the pages complained about.

import { h } from '../view/element.js';
import { choice } from '../view/parts.js';
import { clock } from '../view/time.js';

const SHOWN = 600;
const KINDS = [['all', 'All'], ['page', 'From pages'], ['bad', 'Problems']];

export function consoleView() {
  const lines = h('ol', { class: 'console-lines' });
  const place = h('div', { class: 'console', tabindex: 0, role: 'log', 'aria-live': 'off', 'aria-label': 'Console' }, lines);
  let kind = 'all';
  let last = 0;
  let now = null;
  const again = () => {
    lines.replaceChildren();
    last = 0;
    if (now) draw(now);
  };
  function draw(story) {
    now = story;
    const fresh = story.lines.filter((line) => line.number > last && (kind === 'all' || line.kind === kind)).slice(-SHOWN);
    if (story.lines.length) last = story.lines.at(-1).number;
    if (fresh.length === 0) return;
    const isAtEnd = place.scrollHeight - place.scrollTop - place.clientHeight < 60;
    lines.append(...fresh.map((line) => h('li', { class: `line-${line.kind}` }, h('span', { class: 'quiet' }, clock(line.at)), h('span', { class: 'line-test' }, line.test), h('span', {}, line.text))));
    while (lines.childElementCount > SHOWN) lines.firstElementChild.remove();
    if (isAtEnd) place.scrollTop = place.scrollHeight;
  }
  const node = h('div', {}, h('div', { class: 'bar' }, choice('Which lines', KINDS, kind, (value) => { kind = value; again(); })), place);
  return { node, draw };
}
