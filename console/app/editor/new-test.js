// A new test: a file and a first text, which the editor then shows.

import { page } from '../api/paths.js';
import { recordedText } from '../live/yaml-steps.js';
import { dialog } from '../shell/dialog.js';
import { go } from '../shell/router.js';
import { h } from '../view/element.js';
import { button, field } from '../view/parts.js';

export function newTestDialog(tests) {
  const folder = tests[0]?.file.replace(/[^/]*$/, '') ?? 'tests/';
  const name = h('input', { type: 'text', required: true, placeholder: 'Put a lantern into the cart', autocomplete: 'off' });
  const file = h('input', { type: 'text', required: true, pattern: '.+\\.ya?ml', autocomplete: 'off' });
  const address = h('input', { type: 'text', value: '/', autocomplete: 'off', spellcheck: 'false' });
  let isOwn = false;
  file.addEventListener('input', () => { isOwn = true; });
  name.addEventListener('input', () => {
    if (!isOwn) file.value = `${folder}${name.value.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'new'}.yaml`;
  });
  dialog('New test', (close) => {
    const form = h('form', { class: 'form' }, field('What does it test?', name), field('File', file, { help: 'A YAML file in the project.' }),
      h('div', { class: 'buttons' }, h('button', { class: 'first' }, 'Create'), button('Cancel', close)),
      h('details', {}, h('summary', {}, 'Record it instead'), field('Where it begins', address, { help: 'A path of the application, or a whole address.' }),
        h('div', { class: 'buttons' }, button('Record it', () => form.reportValidity() && write({ record: address.value.trim() || '/' })))));
    const write = (more = {}) => {
      close();
      go(`${page.test(file.value.trim())}?${new URLSearchParams({ new: name.value.trim(), ...more })}`);
    };
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      write();
    });
    return form;
  });
}

/** The text of a test that is recorded, before anything is done. */
export function recordingText(name, url) {
  return recordedText(name, [{ kind: 'act', text: `Go to ${url}` }]);
}

/** The text that a new test begins with. */
export function firstText(name) {
  return `test: ${/[:#"'{}[\]]/.test(name) ? JSON.stringify(name) : name}\nsteps:\n  - Go to /\nexpected:\n  - The page shows "…"\n`;
}
