// What is said to readers of the screen, and shown for a moment to everybody.

import { h } from '../view/element.js';

/** Read out, not shown. */
export function say(text) {
  const place = document.querySelector('#said');
  place.textContent = '';
  requestAnimationFrame(() => {
    place.textContent = text;
  });
}

/** Shown until it is closed, or for a while if it is good news. */
export function notice(text, { isBad = false, action } = {}) {
  const close = () => box.remove();
  const box = h('div', { class: `notice ${isBad ? 'is-bad' : ''}`, role: isBad ? 'alert' : 'status' },
    h('span', {}, text), action,
    h('button', { type: 'button', class: 'plain', 'aria-label': 'Dismiss', on: { click: close } }, '×'));
  document.querySelector('#notices').append(box);
  if (!isBad) setTimeout(close, 8000);
}

/** Does something and tells if it went wrong. Gives back whether it went well. */
export async function attempt(work, button) {
  if (button) button.disabled = true;
  try {
    await work();
    return true;
  } catch (error) {
    notice([error.message, error.hint].filter(Boolean).join(' — '), { isBad: true });
    return false;
  } finally {
    if (button) button.disabled = false;
  }
}
