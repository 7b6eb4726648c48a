// The list of sections beside the content; behind a button where there is no room.

import { SECTIONS } from '../sections.js';
import { h, put, svg } from '../view/element.js';
import { may } from './caller.js';

export function sections() {
  return SECTIONS.filter((section) => !section.role || may(section.role));
}

export function showSections() {
  const list = document.querySelector('#sections');
  put(list, h('ul', {}, sections().map((section) => h('li', {}, link(section)))));
  const button = document.querySelector('.menu-button');
  const set = (isOpen) => {
    button.setAttribute('aria-expanded', String(isOpen));
    list.classList.toggle('is-open', isOpen);
    if (isOpen) list.querySelector('a[aria-current], a')?.focus();
  };
  button.addEventListener('click', () => set(button.getAttribute('aria-expanded') !== 'true'));
  document.addEventListener('click', (event) => {
    if (!button.contains(event.target) && (event.target.closest('a') || !list.contains(event.target))) set(false);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return;
    set(false);
    button.focus();
  });
  markSection(location.pathname);
}

function link(section) {
  const icon = svg('svg', { viewBox: '0 0 20 20', width: 18, height: 18, 'aria-hidden': 'true' }, svg('path', { d: section.icon }));
  return h('a', { href: section.path }, icon, h('span', {}, section.name));
}

export function markSection(pathname) {
  for (const entry of document.querySelectorAll('#sections a')) {
    const path = entry.getAttribute('href');
    const isHere = path === '/' ? ['/', '/console', '/console/'].includes(pathname) : pathname === path || pathname.startsWith(`${path}/`);
    if (isHere) entry.setAttribute('aria-current', 'page');
    else entry.removeAttribute('aria-current');
  }
}
