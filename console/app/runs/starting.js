// Starting a run: as it is, or with choices.

import { write } from '../api/client.js';
import { page } from '../api/paths.js';
import { dialog } from '../shell/dialog.js';
import { go } from '../shell/router.js';
import { attempt } from '../shell/said.js';
import { h } from '../view/element.js';
import { button, field } from '../view/parts.js';

/** `order` is a run document of the service. Opens the new run. */
export function startRun(order, pressed) {
  return attempt(async () => {
    const accepted = await write('POST', '/server/runs', order);
    go(page.run(accepted.run));
  }, pressed);
}

export function runDialog(preset = {}) {
  const text = (name, help) => h('input', { type: 'text', name, autocomplete: 'off', value: preset[name] ?? '', placeholder: help });
  const tags = text('tags', 'smoke, !slow');
  const grep = text('grep', 'login');
  const address = h('input', { type: 'url', name: 'base_url', placeholder: 'as in assay.yaml' });
  const workers = h('input', { type: 'number', name: 'workers', min: 1, max: 64, placeholder: 'automatic' });
  const retries = h('input', { type: 'number', name: 'retries', min: 0, max: 10, placeholder: '0' });
  const browsers = ['chromium', 'firefox', 'webkit'].map((name) => h('input', { type: 'checkbox', value: name }));
  const failed = h('input', { type: 'checkbox', name: 'last_failed' });
  const list = (input) => input.value.split(',').map((word) => word.trim()).filter(Boolean);
  const number = (input) => (input.value === '' ? undefined : Number(input.value));
  const order = () => ({
    paths: preset.paths ?? [], tags: list(tags), grep: grep.value.trim() || undefined, base_url: address.value.trim() || undefined,
    workers: number(workers), retries: number(retries), last_failed: failed.checked,
    browsers: browsers.filter((one) => one.checked).map((one) => one.value),
  });
  dialog('Run tests', (close) => {
    const form = h('form', { class: 'form' },
      preset.paths?.length && h('p', {}, 'Only ', h('code', {}, preset.paths.join(', '))),
      h('div', { class: 'two' }, field('Tags', tags, { help: '! leaves a tag out.' }), field('Name contains', grep)),
      h('fieldset', {}, h('legend', {}, 'Browsers'), browsers.map((one) => h('label', { class: 'check' }, one, one.value)),
        h('p', { class: 'quiet' }, 'Without a choice, each test runs in its own browsers.')),
      h('div', { class: 'two' }, field('Workers', workers), field('Retries', retries)),
      field('Address of the application', address),
      h('label', { class: 'check' }, failed, 'Only tests that did not pass in the last run'),
      h('div', { class: 'buttons' }, h('button', { class: 'first' }, 'Start'), button('Cancel', close)));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (await startRun(order(), form.querySelector('.first'))) close();
    });
    return form;
  });
}
