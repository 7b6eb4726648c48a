// What the page shows, as a list: for those who do not see the picture, or do not point.

import { h, put } from '../view/element.js';
import { button } from '../view/parts.js';

const FIELDS = ['textbox', 'searchbox', 'spinbutton', 'date', 'time', 'month', 'week', 'datetime', 'color'];
const PRESSED = ['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'summary', 'treeitem', 'clickable'];

/** `load()` gives the elements, `act(act)` uses one, `check(ref)` proposes claims about it, where there is one. */
export function liveElements({ load, act, check, whyNot }) {
  const list = h('ol', { class: 'live-elements' });
  const says = h('p', { class: 'quiet', role: 'status' });
  const node = h('details', { class: 'live-fold' }, h('summary', {}, 'Elements as a list'), says, list);
  let waits;
  let isStale = true;
  node.addEventListener('toggle', () => node.open && isStale && draw());

  async function draw() {
    isStale = false;
    try {
      const { items } = await load();
      const why = whyNot();
      says.textContent = items.length ? '' : 'The page shows nothing.';
      // What somebody is at is not taken from under them.
      if (list.contains(document.activeElement)) {
        isStale = true;
        return;
      }
      put(list, items.map((item) => row(item, why)));
    } catch {
      // The page is busy; the next change comes soon.
      isStale = true;
    }
  }

  function row(item, why) {
    const about = [item.name && `“${item.name}”`, item.value !== undefined && `= ${item.value || '(empty)'}`, item.states?.filter((state) => state !== 'offscreen').join(', ')].filter(Boolean).join(' ');
    if (item.role === 'text') return h('li', {}, h('span', {}, item.name));
    return h('li', {}, h('span', {}, h('span', { class: 'quiet' }, `${item.role} `), about), item.ref && h('span', { class: 'buttons' }, controls(item, why)));
  }

  function controls(item, why) {
    const name = item.name || item.role;
    const use = [];
    if (item.options?.length) {
      const pick = h('select', { 'aria-label': `Choose from ${name}`, disabled: Boolean(why) }, item.options.map((option) => h('option', { value: option, selected: option === item.value }, option)));
      use.push(pick, button('Choose', () => act({ act: 'choose', ref: item.ref, options: [pick.value] }), { whyNot: why }));
    } else if (FIELDS.includes(item.role) || (item.role === 'combobox' && item.value !== undefined)) {
      const text = h('input', { type: item.states?.includes('secret') ? 'password' : 'text', 'aria-label': `Text for ${name}`, disabled: Boolean(why) });
      use.push(text, button('Enter', () => act({ act: 'fill', ref: item.ref, text: text.value }), { whyNot: why }));
    } else if (PRESSED.includes(item.role) || item.states?.includes('clickable')) {
      use.push(button('Click', () => act({ act: 'click', ref: item.ref }), { whyNot: why }));
    }
    for (const one of use) if (one.tagName === 'BUTTON') one.setAttribute('aria-label', `${one.textContent} ${name}`);
    if (!check) return use;
    const claims = button('Check', () => check(item.ref), { whyNot: why });
    claims.setAttribute('aria-label', `Check ${name}`);
    return [use, claims];
  }

  return {
    node,
    changed() {
      isStale = true;
      clearTimeout(waits);
      waits = setTimeout(() => node.open && draw(), 400);
    },
  };
}
