// Parts that many pages have.

import { notice } from '../shell/said.js';
import { freshId, h } from './element.js';

/** The head of a page: its title, a sentence, and what can be done. */
export function head(title, { says, actions = [], above } = {}) {
  return h('div', { class: 'page-head' },
    h('div', { class: 'page-title' }, above && h('p', { class: 'above' }, above), h('h1', { elementtiming: 'title' }, title), says && h('p', { class: 'quiet' }, says)),
    actions.length > 0 && h('div', { class: 'buttons' }, actions));
}

/** A box with a title of its own. */
export function box(title, content, { more, level = 'h2', extra = '' } = {}) {
  const id = freshId('box');
  return h('section', { class: `box ${extra}`, 'aria-labelledby': id },
    h('div', { class: 'box-head' }, h(level, { id }, title), more), content);
}

/** A button that may not be pressed can still be reached, and says why not. */
export function button(name, click, { first, whyNot, key, danger } = {}) {
  return h('button', {
    type: 'button', class: first ? 'first' : danger ? 'danger' : undefined, 'aria-disabled': whyNot ? 'true' : undefined, title: whyNot, 'data-key': key,
    on: { click: (event) => (whyNot ? notice(whyNot, { isBad: true }) : click(event.currentTarget)) },
  }, name);
}

/**
 * A table that scrolls by itself where there is no room; on a phone each row is a card. `columns`: `[title, cell, class]`.
 * The roles are those of the elements, which some browsers forget when the elements look otherwise.
 */
export function table(caption, columns, rows) {
  const place = h('div', { class: 'table-place' },
    h('table', { role: 'table' },
      h('caption', { class: 'hidden' }, caption),
      h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, columns.map(([title, , kind]) => h('th', { role: 'columnheader', scope: 'col', class: kind }, title || h('span', { class: 'hidden' }, 'Actions'))))),
      h('tbody', { role: 'rowgroup', 'data-walk': true }, rows.map((row) => tableRow(columns, row)))));
  reachable(place, caption);
  return place;
}

/** A row of such a table. */
export function tableRow(columns, row) {
  return h('tr', { role: 'row' }, columns.map(([title, cell, kind]) => {
    const content = cell(row);
    return h('td', { role: 'cell', class: kind, 'data-title': title, 'data-empty': content === '' || content === false ? 'true' : undefined }, content);
  }));
}

/** What scrolls sideways can be scrolled with the keyboard; what does not is no stop on its way. */
function reachable(place, name) {
  new ResizeObserver(() => {
    const scrolls = place.scrollWidth > place.clientWidth;
    for (const [attribute, value] of [['tabindex', '0'], ['role', 'group'], ['aria-label', name]]) {
      if (scrolls) place.setAttribute(attribute, value);
      else place.removeAttribute(attribute);
    }
  }).observe(place);
}

/** Pairs of names and values. */
export function facts(pairs) {
  const known = pairs.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return h('dl', { class: 'facts' }, known.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
}

/** A field with its label. */
export function field(label, input, { help, hideLabel } = {}) {
  const id = input.id || freshId('field');
  input.id = id;
  const helpId = help && `${id}-help`;
  if (helpId) input.setAttribute('aria-describedby', helpId);
  return h('div', { class: 'field' }, h('label', { for: id, class: hideLabel ? 'hidden' : undefined }, label), input,
    help && h('p', { class: 'quiet', id: helpId }, help));
}

export function search(label, changed, value = '') {
  const input = h('input', { type: 'search', placeholder: label, value, 'data-search': true, autocomplete: 'off', spellcheck: 'false' });
  let waits;
  input.addEventListener('input', () => {
    clearTimeout(waits);
    waits = setTimeout(() => changed(input.value.trim()), 120);
  });
  return field(label, input, { hideLabel: true });
}

/** One of a few, as buttons that stay pressed. `choices`: `[value, words]`. */
export function choice(label, choices, chosen, changed) {
  const group = h('div', { class: 'choice', role: 'group', 'aria-label': label });
  const buttons = choices.map(([value, words]) => h('button', {
    type: 'button', 'aria-pressed': String(value === chosen), 'data-value': value,
    on: {
      click: (event) => {
        for (const other of buttons) other.setAttribute('aria-pressed', String(other === event.currentTarget));
        changed(value);
      },
    },
  }, words));
  group.append(...buttons);
  return group;
}

/** A button that brings the next page of a list. `load(cursor)` gives rows and the next cursor. */
export function moreButton(first, load) {
  let cursor = first;
  const more = h('button', { type: 'button', class: 'more', hidden: !cursor }, 'Show more');
  more.addEventListener('click', async () => {
    more.disabled = true;
    try {
      cursor = await load(cursor);
      more.hidden = !cursor;
    } finally {
      more.disabled = false;
    }
  });
  return more;
}

export function code(text) {
  return h('code', {}, text);
}
