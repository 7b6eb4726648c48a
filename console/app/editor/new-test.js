// A new test: a file and a first text, which the editor then shows.

import { page } from '../api/paths.js';
import { dialog } from '../shell/dialog.js';
import { go } from '../shell/router.js';
import { h } from '../view/element.js';
import { button, field } from '../view/parts.js';

export function newTestDialog(tests) {
  const folder = tests[0]?.file.replace(/[^/]*$/, '') ?? 'tests/';
  const name = h('input', { type: 'text', required: true, placeholder: 'Put a lantern into the cart', autocomplete: 'off' });
  const file = h('input', { type: 'text', required: true, pattern: '.+\\.ya?ml', autocomplete: 'off' });
  let isOwn = false;
  file.addEventListener('input', () => { isOwn = true; });
  name.addEventListener('input', () => {
    if (!isOwn) file.value = `${folder}${name.value.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'new'}.yaml`;
  });
  dialog('New test', (close) => {
    const form = h('form', { class: 'form' }, field('What does it test?', name), field('File', file, { help: 'A YAML file in the project.' }),
      h('div', { class: 'buttons' }, h('button', { class: 'first' }, 'Create'), button('Cancel', close)));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      close();
      go(`${page.test(file.value.trim())}?new=${encodeURIComponent(name.value.trim())}`);
    });
    return form;
  });
}

/** The text that a new test begins with. */
export function firstText(name) {
  return `test: ${/[:#"'{}[\]]/.test(name) ? JSON.stringify(name) : name}\nsteps:\n  - Go to /\nexpected:\n  - The page shows "…"\n`;
}
