// One conversation with an agent, on a page of its own.

import { read } from '../api/client.js';
import { route } from '../api/paths.js';
import { conversation } from '../atlas/conversation.js';
import { whyNot } from '../shell/caller.js';
import { attempt } from '../shell/said.js';
import { h } from '../view/element.js';
import { button, head } from '../view/parts.js';

export async function open(place) {
  const session = await read(route.session(place.params.session), {}, place.signal);
  const title = session.title || `Conversation ${session.session_id}`;
  const end = button('End conversation', (pressed) => attempt(() => talk.end(), pressed).then(() => draw(talk.session())), { whyNot: whyNot('run') });
  const draw = (now) => { end.disabled = now.status === 'ended' || Boolean(whyNot('run')); };
  const talk = conversation({ session, changed: draw, signal: place.signal });
  place.show(title, head(title, { above: h('a', { href: '/console/atlas' }, 'Atlas'), says: `with ${session.agent}`, actions: [end] }), talk.parts);
  await talk.open();
}
