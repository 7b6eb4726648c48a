// Keys: `?` shows them, `g` and a letter opens a section, `/` looks for something, `j` and `k` go through a list.

import { h } from '../view/element.js';
import { dialog } from './dialog.js';
import { sections } from './navigation.js';
import { go } from './router.js';

/** Milliseconds for the second of two keys: some people need their time. */
const SECOND_KEY = 5000;
const OFF = 'assay-keys-off';
let isAfterG = false;

export function areKeysOn() {
  try {
    return localStorage.getItem(OFF) !== 'yes';
  } catch {
    return true;
  }
}

export function setKeys(isOn) {
  localStorage.setItem(OFF, isOn ? 'no' : 'yes');
}

export function listenToKeys() {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !areKeysOn()) return;
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable="true"]');
    if (isTyping || document.querySelector('dialog[open]')) return;
    if (act(event.key)) event.preventDefault();
  });
}

function act(key) {
  if (isAfterG) {
    isAfterG = false;
    const section = sections().find((one) => one.key === key);
    if (section) go(section.path);
    return Boolean(section);
  }
  switch (key) {
    case '?': showKeys(); return true;
    case 'g':
      isAfterG = true;
      setTimeout(() => { isAfterG = false; }, SECOND_KEY);
      return true;
    case '/': return focusOn('[data-search]');
    case 'n': return press('[data-key="n"]');
    case 'j': return step(1);
    case 'k': return step(-1);
    default: return false;
  }
}

function focusOn(what) {
  const field = document.querySelector(what);
  field?.focus();
  field?.select?.();
  return Boolean(field);
}

function press(what) {
  const button = document.querySelector(what);
  button?.click();
  return Boolean(button);
}

/** The next or the last link of the list on the page. */
function step(by) {
  const links = [...document.querySelectorAll('[data-walk] a[href], [data-walk] button[data-row]')].filter((one) => one.offsetParent);
  if (!links.length) return false;
  const at = links.indexOf(document.activeElement);
  links[Math.min(links.length - 1, Math.max(0, at + by))].focus();
  return true;
}

const SHORTCUTS = [
  ['?', 'show these keys'],
  ['/', 'search this page'],
  ['j  k', 'next and previous row'],
  ['n', 'start a run, a test, a schedule or a conversation'],
  ['↑  ↓', 'move through the tests of a run'],
  ['Ctrl Enter', 'save a test or send a message'],
  ['Esc', 'close a dialog or the menu'],
];

export function showKeys() {
  const row = ([keys, what]) => h('div', {}, h('dt', {}, keys.split(/\s+/).flatMap((key) => [h('kbd', {}, key), ' '])), h('dd', {}, what));
  dialog('Keyboard shortcuts', () => [
    h('dl', { class: 'keys' }, SHORTCUTS.map(row)),
    h('h3', {}, 'Go to a section'),
    h('dl', { class: 'keys' }, sections().map((section) => row([`g ${section.key}`, section.name]))),
    h('p', { class: 'quiet' }, 'Turn single-key shortcuts off in Settings.'),
  ]);
}
