// The tools at the top: colours, keys, and who is signed in.

import { h, put, svg } from '../view/element.js';
import { theCaller } from './caller.js';
import { showKeys } from './keys.js';
import { nextTheme, themeName } from './theme.js';

const ICONS = {
  auto: 'M10 3a7 7 0 1 0 .01 0zM10 3v14M10 6h4M10 9h6.5M10 12h6M10 15h3.5',
  light: 'M10 6.5a3.5 3.5 0 1 0 .01 0zM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6L16 16M16 4l-1.4 1.4M5.4 14.6L4 16',
  dark: 'M16.5 12.5A7 7 0 0 1 7.5 3.5a7 7 0 1 0 9 9z',
};

export function showTools() {
  const caller = theCaller();
  const theme = h('button', { type: 'button', class: 'plain', id: 'theme' });
  const name = () => {
    put(theme, svg('svg', { viewBox: '0 0 20 20', width: 18, height: 18, 'aria-hidden': 'true' }, svg('path', { d: ICONS[themeName()] })),
      h('span', { class: 'wide-only' }, `Theme: ${themeName()}`));
    theme.setAttribute('aria-label', `Theme: ${themeName()}`);
    theme.title = 'Change the theme';
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
