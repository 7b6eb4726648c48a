// Parts that many pages have.

import { freshId, h } from './element.js';

/** The head of a page: its title, a sentence, and what can be done. */
export function head(title, { says, actions = [], above } = {}) {
  return h('div', { class: 'page-head' },
    h('div', { class: 'page-title' }, above && h('p', { class: 'above' }, above), h('h1', {}, title), says && h('p', { class: 'quiet' }, says)),
    actions.length > 0 && h('div', { class: 'buttons' }, actions));
}

/** A box with a title of its own. */
export function box(title, content, { more, level = 'h2', extra = '' } = {}) {
  const id = freshId('box');
  return h('section', { class: `box ${extra}`, 'aria-labelledby': id },
    h('div', { class: 'box-head' }, h(level, { id }, title), more), content);
}

export function button(name, click, { first, whyNot, key, danger } = {}) {
  return h('button', {
    type: 'button', class: first ? 'first' : danger ? 'danger' : undefined, disabled: Boolean(whyNot), title: whyNot, 'data-key': key,
    on: { click: (event) => click(event.currentTarget) },
  }, name);
}

/** A table that scrolls by itself where there is no room. `columns`: `[title, cell, class]`. */
export function table(caption, columns, rows) {
  return h('div', { class: 'table-place', tabindex: 0, role: 'region', 'aria-label': caption },
    h('table', {},
      h('caption', { class: 'hidden' }, caption),
      h('thead', {}, h('tr', {}, columns.map(([title, , kind]) => h('th', { scope: 'col', class: kind }, title)))),
      h('tbody', { 'data-walk': true }, rows.map((row) => h('tr', {}, columns.map(([, cell, kind]) => h('td', { class: kind }, cell(row))))))));
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
