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
  place.show('Webhooks', head('Webhooks', { says: ['Other systems start work here and hear about results. Create webhooks with ', h('code', {}, 'POST /server/webhooks/incoming'), ' and ', h('code', {}, '/outgoing'), '.'] }),
    box('Incoming', incoming.items.length === 0 ? empty('No other system calls this project.') : table('Incoming webhooks', [
      ['Name', (hook) => hook.name], ['Address', (hook) => h('code', {}, hook.path)], ['State', (hook) => onOff(hook)], ['Created by', (hook) => hook.by], ['Created', (hook) => ago(hook.created_at)],
    ], incoming.items)),
    box('Outgoing', outgoing.items.length === 0 ? empty('This project notifies no other system.') : table('Outgoing webhooks', [
      ['Name', (hook) => hook.name], ['Address', (hook) => h('code', {}, hook.url)], ['Events', (hook) => hook.tells.join(', ')], ['State', (hook) => onOff(hook)],
      ['', (hook) => button('Send a test', (pressed) => attempt(async () => {
        await write('POST', `/server/webhooks/outgoing/${encodeURIComponent(hook.name)}/ping`, {});
        notice('The test message is on its way.');
        go('/console/webhooks');
      }, pressed), { whyNot: cannot })],
    ], outgoing.items)),
    box('Messages', messages.items.length === 0 ? empty('No messages yet.') : table('Messages', [
      ['State', (message) => mark(STATES[message.status] ?? 'not-run', message.status)], ['To', (message) => message.webhook], ['Event', (message) => message.type],
      ['Attempts', (message) => message.attempts, 'number'], ['Problem', (message) => message.trouble ?? ''], ['When', (message) => ago(message.at)],
      ['', (message) => message.status === 'dead' && button('Send again', (pressed) => attempt(async () => {
        await write('POST', `/server/webhooks/messages/${message.number}/resend`, {});
        go('/console/webhooks');
      }, pressed), { whyNot: cannot })],
    ], messages.items)));
}

function onOff(hook) {
  return hook.enabled ? mark('ok', 'on') : mark('paused', 'off');
}
