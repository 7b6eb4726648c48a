// Webhooks: what other systems tell the project, what it tells them, and messages that did not arrive.

import { read, readAll, write } from '../api/client.js';
import { whyNot } from '../shell/caller.js';
import { go } from '../shell/router.js';
import { attempt, notice } from '../shell/said.js';
import { h } from '../view/element.js';
import { mark } from '../view/mark.js';
import { box, button, head, table } from '../view/parts.js';
import { ago } from '../view/time.js';
import { empty } from '../view/trouble.js';

const STATES = { waiting: 'waiting', sent: 'ended', dead: 'failed' };

export async function open(place) {
  const [incoming, outgoing, messages] = await Promise.all([
    readAll('/server/webhooks/incoming', {}, { signal: place.signal }), readAll('/server/webhooks/outgoing', {}, { signal: place.signal }),
    read('/server/webhooks/messages', { limit: 50 }, place.signal)]);
  const cannot = whyNot('admin');
  place.show('Webhooks', head('Webhooks', { says: 'Their secrets are kept by the service and never shown. They are made with POST /server/webhooks/incoming and /server/webhooks/outgoing.' }),
    box('Who tells us?', incoming.items.length === 0 ? empty('No other system calls this project.') : table('Webhooks that other systems call', [
      ['Name', (hook) => hook.name], ['Address', (hook) => h('code', {}, hook.path)], ['State', (hook) => onOff(hook)], ['By', (hook) => hook.by], ['Since', (hook) => ago(hook.created_at)],
    ], incoming.items)),
    box('Whom do we tell?', outgoing.items.length === 0 ? empty('This project tells no other system.') : table('Webhooks that tell other systems', [
      ['Name', (hook) => hook.name], ['Address', (hook) => h('code', {}, hook.url)], ['Tells of', (hook) => hook.tells.join(', ')], ['State', (hook) => onOff(hook)],
      ['', (hook) => button('Try it', (pressed) => attempt(async () => {
        await write('POST', `/server/webhooks/outgoing/${encodeURIComponent(hook.name)}/ping`, {});
        notice('A message is on its way.');
        go('/console/webhooks');
      }, pressed), { whyNot: cannot })],
    ], outgoing.items)),
    box('What became of the messages?', messages.items.length === 0 ? empty('No message was sent yet.') : table('Messages', [
      ['State', (message) => mark(STATES[message.status] ?? 'not-run', message.status)], ['To', (message) => message.webhook], ['Of', (message) => message.type],
      ['Attempts', (message) => message.attempts, 'number'], ['Trouble', (message) => message.trouble ?? ''], ['When', (message) => ago(message.at)],
      ['', (message) => message.status === 'dead' && button('Send again', (pressed) => attempt(async () => {
        await write('POST', `/server/webhooks/messages/${message.number}/resend`, {});
        go('/console/webhooks');
      }, pressed), { whyNot: cannot })],
    ], messages.items)));
}

function onOff(hook) {
  return hook.enabled ? mark('ok', 'on') : mark('paused', 'off');
}
