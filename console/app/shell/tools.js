// The tools at the top: colours, keys, and who is signed in.

import { h, put } from '../view/element.js';
import { theCaller } from './caller.js';
import { showKeys } from './keys.js';
import { nextTheme, themeName } from './theme.js';

export function showTools() {
  const caller = theCaller();
  const theme = h('button', { type: 'button', class: 'plain', id: 'theme' });
  const name = () => {
    put(theme, h('span', { class: 'wide-only' }, 'Colours: '), themeName());
    theme.setAttribute('aria-label', `Colours: ${themeName()}`);
  };
  theme.addEventListener('click', () => {
    nextTheme();
    name();
  });
  name();
  const help = h('button', { type: 'button', class: 'plain', 'aria-label': 'Keyboard shortcuts', title: 'Keyboard shortcuts (?)', on: { click: showKeys } }, '?');
  const leave = caller.is_signed_in && h('form', { method: 'post', action: '/sign-out' }, h('button', { class: 'plain' }, 'Sign out'));
  const who = h('span', { class: 'who quiet', title: `Role: ${caller.role}` }, `${caller.name} · ${caller.role}`);
  put(document.querySelector('#tools'), who, theme, help, leave);
}
