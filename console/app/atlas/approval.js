// What an agent may do only if a user agrees.

import { write } from '../api/client.js';
import { whyNot } from '../shell/caller.js';
import { attempt } from '../shell/said.js';
import { h } from '../view/element.js';
import { box, button } from '../view/parts.js';

/** `actsOn()` names the live page that the agent acts on, or nothing. */
export function approvalBox(base, approval, { decided, actsOn }) {
  const decide = (approved) => (pressed) => attempt(async () => {
    await write('POST', `${base}/approve`, { approved, page: actsOn() });
    decided();
  }, pressed);
  return box('Allow this?', [
    h('p', {}, approval.question),
    approval.tool && h('pre', {}, `${approval.tool} ${JSON.stringify(approval.arguments, null, 2)}`),
    h('div', { class: 'buttons' },
      button('Allow once', decide(true), { first: true, whyNot: whyNot('admin') }),
      button('Refuse', decide(false), { whyNot: whyNot('run') })),
  ], { extra: 'is-asking' });
}
