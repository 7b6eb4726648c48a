// Atlas: conversations with agents, and what one may ask.

import { read, readAll, write } from '../api/client.js';
import { page } from '../api/paths.js';
import { whyNot } from '../shell/caller.js';
import { go } from '../shell/router.js';
import { attempt } from '../shell/said.js';
import { h } from '../view/element.js';
import { mark } from '../view/mark.js';
import { box, button, head } from '../view/parts.js';
import { ago, count } from '../view/time.js';
import { empty } from '../view/trouble.js';

export async function open(place) {
  const [health, sessions] = await Promise.all([
    read('/server/agent/health', {}, place.signal), readAll('/server/agent/sessions', {}, { most: 200, signal: place.signal })]);
  const cannot = whyNot('run');
  const begin = (agent, message) => (pressed) => attempt(async () => {
    const session = await write('POST', '/server/agent/sessions', { agent: agent?.id, title: message?.slice(0, 80) ?? '' });
    if (message) await write('POST', `/server/agent/sessions/${session.session_id}/messages`, { message });
    go(page.session(session.session_id));
  }, pressed);
  place.show('Atlas',
    head('Atlas', {
      says: health.has_model ? `Answers with ${health.model}.` : undefined,
      actions: [button('New conversation', begin(null), { first: true, key: 'n', whyNot: cannot })],
    }),
    !health.has_model && h('p', { class: 'why is-inconclusive' }, 'Atlas needs a model to answer. Save the key of a model service in ', h('a', { href: '/console/settings' }, 'Settings'), ', and start the service with ', h('code', {}, 'DEFAULT_MODEL'), ' to choose the model.'),
    health.problems.length > 0 && h('pre', {}, health.problems.join('\n')),
    h('div', { class: 'columns' },
      box('Conversations', sessions.items.length === 0 ? empty('No conversations yet.') : h('ul', { class: 'rows', 'data-walk': true }, sessions.items.map(row))),
      box('What can I ask?', health.agents.map((agent) => h('section', { class: 'agent' }, h('h3', {}, agent.name),
        h('p', { class: 'quiet' }, agent.description),
        h('ul', { class: 'suggestions' }, agent.suggestions.map((words) => h('li', {}, button(words, begin(agent, words), { whyNot: cannot ?? (health.has_model ? null : 'No model is configured.') })))),
        agent.skills.length > 0 && h('p', { class: 'tags' }, agent.skills.map((skill) => h('span', { class: 'tag' }, skill))))))));
}

function row(session) {
  const tokens = session.used.input_tokens + session.used.output_tokens;
  return h('li', { class: 'row' }, mark(session.status),
    h('div', { class: 'row-main' }, h('a', { href: page.session(session.session_id) }, session.title || `Conversation ${session.session_id}`),
      h('p', { class: 'quiet' }, [session.agent, session.skill, tokens ? count(tokens, 'token') : ''].filter(Boolean).join(' · '))),
    h('span', { class: 'quiet row-end' }, ago(session.updated_at)));
}
