// A command line that can be copied.

import { say } from '../shell/said.js';
import { h } from './element.js';

export function commandLine(text) {
  const line = h('code', {}, text);
  const copy = async () => {
    if (await copied(text)) {
      say('Copied');
      button.textContent = 'Copied';
    } else {
      getSelection().selectAllChildren(line);
      button.textContent = 'Selected';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  };
  const button = h('button', { type: 'button', class: 'plain', 'aria-label': 'Copy the command', on: { click: copy } }, 'Copy');
  return h('div', { class: 'command-line' }, line, button);
}

/** Browsers lend the clipboard to pages with TLS, and to those of this machine. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
