// Settings: keys of model services, tokens, and this browser.

import { read, write } from '../api/client.js';
import { theCaller, whyNot } from '../shell/caller.js';
import { areKeysOn, setKeys } from '../shell/keys.js';
import { attempt, notice } from '../shell/said.js';
import { commandLine } from '../view/copy.js';
import { h } from '../view/element.js';
import { mark } from '../view/mark.js';
import { box, facts, field, head } from '../view/parts.js';

export async function open(place) {
  const [keys, health] = await Promise.all([read('/server/agent/api-key', {}, place.signal), read('/server/agent/health', {}, place.signal)]);
  const caller = theCaller();
  place.show('Settings', head('Settings'),
    h('div', { class: 'columns' },
      box('Models', [facts([['Model', health.has_model ? health.model : 'none configured']]), keysList(keys.items), keyForm(keys.items)]),
      box('Access', [
        facts([['You', caller.name], ['Role', caller.role], ['Service', `assay ${caller.version}`]]),
        h('p', {}, 'Other machines need a token. Create, list and revoke tokens where the service runs. A secret appears only once.'),
        ['assay serve token create ci --role run', 'assay serve token list', 'assay serve token revoke ci'].map(commandLine)]),
      box('This browser', keysSwitch())));
}

function keysList(items) {
  return h('ul', { class: 'rows' }, items.map((one) => h('li', { class: 'row' }, mark(one.is_set ? 'ok' : 'not-run', one.is_set ? 'key saved' : 'no key'), h('div', { class: 'row-main' }, one.provider))));
}

function keyForm(items) {
  const provider = h('select', {}, items.map((one) => h('option', { value: one.provider }, one.provider)));
  const key = h('input', { type: 'password', required: true, autocomplete: 'off' });
  const save = h('button', { class: 'first', disabled: Boolean(whyNot('admin')), title: whyNot('admin') }, 'Save the key');
  const form = h('form', { class: 'form' }, h('div', { class: 'two' }, field('Service', provider), field('Key', key)),
    h('p', { class: 'quiet' }, 'The service stores the key in a file that only its owner can read, and never shows it again.'), h('div', { class: 'buttons' }, save));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(async () => {
      const kept = await write('POST', '/server/agent/api-key', { provider: provider.value, api_key: key.value }, { keyed: false });
      key.value = '';
      notice(`Saved the key of ${kept.provider}.`);
      const known = items.find((one) => one.provider === kept.provider);
      if (known) known.is_set = true;
      form.previousElementSibling.replaceWith(keysList(items));
    }, save);
  });
  return form;
}

function keysSwitch() {
  const check = h('input', { type: 'checkbox', checked: areKeysOn(), on: { change: () => setKeys(check.checked) } });
  return h('label', { class: 'check' }, check, 'Single-key shortcuts');
}
