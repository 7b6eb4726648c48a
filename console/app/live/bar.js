// The address line of a live page, its tabs, and a dialog of its browser.

import { h, put } from '../view/element.js';
import { button } from '../view/parts.js';

export function liveBar({ act, whyNot }) {
  const why = whyNot();
  const address = h('input', { type: 'text', 'aria-label': 'Address', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', inputmode: 'url', readonly: Boolean(why) });
  const form = h('form', { class: 'live-address' },
    button('Back', () => act({ act: 'back' }), { whyNot: why }), button('Reload', () => act({ act: 'reload' }), { whyNot: why }),
    address, h('button', { disabled: Boolean(why), title: why }, 'Go'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const url = address.value.trim();
    if (url) act({ act: 'go', url });
  });
  const tabs = h('div', { class: 'live-tabs', role: 'group', 'aria-label': 'Tabs of the page' });
  const dialog = h('div', { class: 'live-dialog', role: 'alertdialog', 'aria-label': 'Dialog of the page', hidden: true });
  let drawn = '';
  return {
    node: h('div', {}, form, tabs, dialog),
    show(page) {
      if (document.activeElement !== address) address.value = page.url;
      const now = JSON.stringify([page.tabs, page.dialog]);
      if (now === drawn) return;
      drawn = now;
      const several = page.tabs.length > 1;
      put(tabs, several && page.tabs.map((tab) => h('span', { class: 'live-tab' },
        h('button', { type: 'button', 'aria-pressed': String(tab.current), disabled: Boolean(why), on: { click: () => act({ act: 'switch_tab', tab: tab.tab }) } }, tab.title || tab.url || 'Empty tab'),
        h('button', { type: 'button', class: 'plain', disabled: Boolean(why), 'aria-label': `Close the tab ${tab.title || tab.url}`, on: { click: () => act({ act: 'close_tab', tab: tab.tab }) } }, '×'))));
      dialog.hidden = !page.dialog;
      put(dialog, page.dialog && dialogParts(page.dialog, act, why));
    },
  };
}

function dialogParts(dialog, act, why) {
  const text = dialog.kind === 'prompt' ? h('input', { type: 'text', 'aria-label': 'Answer', value: dialog.default ?? '' }) : null;
  return [
    h('p', {}, h('strong', {}, `The page asks (${dialog.kind}): `), dialog.message), text,
    h('div', { class: 'buttons' },
      button('OK', () => act({ act: 'accept_dialog', text: text ? text.value : null }), { first: true, whyNot: why }),
      dialog.kind !== 'alert' && button('Cancel', () => act({ act: 'dismiss_dialog' }), { whyNot: why })),
  ];
}
