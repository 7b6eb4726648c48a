// Dialogs of the browser: it keeps the focus inside, and gives it back.

import { freshId, h } from '../view/element.js';

/** Shows a dialog. `content` gets a function that closes it. */
export function dialog(title, content, { isWide = false } = {}) {
  const id = freshId('dialog');
  const close = () => box.close();
  const box = h('dialog', { 'aria-labelledby': id, class: isWide ? 'wide' : '' },
    h('div', { class: 'dialog-head' }, h('h2', { id }, title),
      h('button', { type: 'button', class: 'plain', 'aria-label': 'Close', on: { click: close } }, '×')),
    h('div', { class: 'dialog-body' }, content(close)));
  box.addEventListener('close', () => {
    box.remove();
    // The browser gives the focus back, unless what had it is gone.
    if (document.activeElement === document.body) document.querySelector('#content').focus();
  });
  // Pressed and let go beside it: a text that is marked with the pointer may end there too.
  let isBeside = false;
  box.addEventListener('pointerdown', (event) => { isBeside = event.target === box; });
  box.addEventListener('click', (event) => event.target === box && isBeside && close());
  document.body.append(box);
  box.showModal();
  const first = ['[autofocus]', 'input, select, textarea', 'button:not(:disabled)'].map((what) => box.querySelector(`.dialog-body :is(${what})`)).find(Boolean);
  first?.focus();
  return box;
}

/** Asks before something that cannot be taken back easily. */
export function confirmed(title, text, yes) {
  return new Promise((settle) => {
    const box = dialog(title, (close) => [
      h('p', {}, text),
      h('div', { class: 'buttons' },
        h('button', { type: 'button', class: 'danger', on: { click: () => { settle(true); close(); } } }, yes),
        h('button', { type: 'button', autofocus: true, on: { click: close } }, 'Cancel')),
    ]);
    box.addEventListener('close', () => settle(false));
  });
}
