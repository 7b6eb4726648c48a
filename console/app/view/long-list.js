// A list of any length: only the rows that can be seen are in the page.

import { h } from './element.js';

const BEYOND = 8;

/** `row(item, index)` builds a row; all rows are equally high. `update(items)` shows others. */
export function longList(label, height, row) {
  const list = h('div', { class: 'long-rows', role: 'list', 'aria-label': label });
  const place = h('div', { class: 'long-list', tabindex: 0, role: 'group', 'aria-label': label, 'data-walk': true }, list);
  let items = [];
  let shown = new Map();
  let asked = false;
  const draw = () => {
    asked = false;
    const from = Math.max(0, Math.floor(place.scrollTop / height) - BEYOND);
    const to = Math.min(items.length, Math.ceil((place.scrollTop + (place.clientHeight || 600)) / height) + BEYOND);
    list.style.setProperty('height', `${items.length * height}px`);
    const next = new Map();
    for (let at = from; at < to; at += 1) {
      const item = items[at];
      const known = shown.get(item);
      const entry = known && known.look === item.look ? known : { look: item.look, node: h('div', { role: 'listitem', class: 'long-row' }, row(item)) };
      if (entry.at !== at || entry.of !== items.length) {
        entry.at = at;
        entry.of = items.length;
        entry.node.style.setProperty('transform', `translateY(${at * height}px)`);
        entry.node.setAttribute('aria-posinset', String(at + 1));
        entry.node.setAttribute('aria-setsize', String(items.length));
      }
      // A row that is built anew keeps the focus of the one before.
      if (known && known !== entry) {
        const hadFocus = known.node.contains(document.activeElement);
        known.node.replaceWith(entry.node);
        if (hadFocus) entry.node.querySelector('a, button')?.focus({ preventScroll: true });
      } else if (!known) {
        list.append(entry.node);
      }
      next.set(item, entry);
    }
    for (const [item, entry] of shown) {
      if (!next.has(item)) entry.node.remove();
    }
    shown = next;
  };
  const ask = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(draw);
  };
  place.addEventListener('scroll', ask, { passive: true });
  new ResizeObserver(ask).observe(place);
  return {
    node: place,
    update(next) {
      items = next;
      ask();
    },
  };
}
