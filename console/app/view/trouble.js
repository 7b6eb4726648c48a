// Pages that have nothing to show: still loading, empty, or in trouble.

import { h } from './element.js';

export function loading() {
  return h('p', { class: 'loading', role: 'status' }, 'Loading…');
}

/** Nothing there yet, and what to do about it. */
export function empty(text, ...help) {
  return h('div', { class: 'empty' }, h('p', {}, text), help.length > 0 && h('p', { class: 'quiet' }, ...help));
}

/** What went wrong, and what can be done. */
export function trouble(error, again) {
  if (error.needsSignIn) {
    return h('div', { class: 'trouble', role: 'alert' }, h('p', {}, 'You are no longer signed in.'),
      h('p', {}, h('a', { href: location.href, target: '_self' }, 'Sign in')));
  }
  return h('div', { class: 'trouble', role: 'alert' },
    h('p', {}, h('strong', {}, sentence(error.message))),
    error.details?.length > 0 && h('pre', {}, error.details.join('\n')),
    error.hint && h('p', { class: 'quiet' }, `Hint: ${error.hint}`),
    again && h('button', { type: 'button', on: { click: again } }, 'Try again'));
}

/** Messages of the service begin small and have no full stop. */
export function sentence(text) {
  const said = String(text).trim();
  return said.charAt(0).toUpperCase() + said.slice(1) + (/[.!?]$/.test(said) ? '' : '.');
}
