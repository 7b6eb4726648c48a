// A list of any length: only the rows that can be seen are in the page. One row is a stop of the keyboard, and arrows go to the others.

import { h } from './element.js';

const BEYOND = 8;

/** `row(item)` builds a row with one button; all rows are equally high. `update(items)` shows others, `show(item)` brings one into sight. */
export function longList(label, height, row) {
  const list = h('div', { class: 'long-rows', role: 'list', 'aria-label': label });
  const place = h('div', { class: 'long-list', 'data-walk': true }, list);
  let items = [];
  let shown = new Map();
  let asked = false;
  /** The item that Tab leads to. */
  let current = null;
  const draw = () => {
    asked = false;
    const from = Math.max(0, Math.floor(place.scrollTop / height) - BEYOND);
    const to = Math.min(items.length, Math.ceil((place.scrollTop + (place.clientHeight || 600)) / height) + BEYOND);
    list.style.setProperty('height', `${items.length * height}px`);
    const stop = Math.max(0, items.indexOf(current));
    const seen = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
    if (stop < from && items.length > 0) seen.unshift(stop);
    if (stop >= to && stop < items.length) seen.push(stop);
    const next = new Map();
    let after = null;
    for (const at of seen) {
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
      const button = entry.node.querySelector('button');
      button.tabIndex = at === stop ? 0 : -1;
      // A row that is built anew keeps the focus of the one before. Rows stand in the page as they are seen.
      if (known && known !== entry) {
        const hadFocus = known.node.contains(document.activeElement);
        known.node.replaceWith(entry.node);
        if (hadFocus) button.focus({ preventScroll: true });
      }
      const place_ = after ? after.nextSibling : list.firstChild;
      if (place_ !== entry.node) list.insertBefore(entry.node, place_);
      after = entry.node;
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
  const show = (item) => {
    const at = items.indexOf(item);
    if (at < 0) return;
    current = item;
    if (at * height < place.scrollTop) place.scrollTop = at * height;
    else if ((at + 1) * height > place.scrollTop + place.clientHeight) place.scrollTop = (at + 1) * height - place.clientHeight;
    ask();
  };
  place.addEventListener('scroll', ask, { passive: true });
  place.addEventListener('focusin', (event) => {
    const found = [...shown].find(([, entry]) => entry.node.contains(event.target));
    if (!found || found[0] === current) return;
    current = found[0];
    ask();
  });
  place.addEventListener('keydown', (event) => {
    const page = Math.max(1, Math.floor(place.clientHeight / height) - 1);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -items.length, End: items.length }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey || items.length === 0) return;
    event.preventDefault();
    const at = Math.max(0, items.indexOf(current));
    show(items[Math.min(items.length - 1, Math.max(0, at + by))]);
    draw();
    shown.get(current)?.node.querySelector('button').focus({ preventScroll: true });
  });
  new ResizeObserver(ask).observe(place);
  return {
    node: place,
    show,
    update(next) {
      items = next;
      ask();
    },
  };
}
