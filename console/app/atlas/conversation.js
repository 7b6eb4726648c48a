// A conversation, wherever it is shown: what was said and done, what waits for a decision, and the next question.

import { read, readAll, write } from '../api/client.js';
import { route } from '../api/paths.js';
import { whyNot } from '../shell/caller.js';
import { attempt, say } from '../shell/said.js';
import { h, put } from '../view/element.js';
import { mark } from '../view/mark.js';
import { button, field } from '../view/parts.js';
import { count } from '../view/time.js';
import { approvalBox } from './approval.js';
import { entryNode } from './entries.js';

const BUSY = 700;
const QUIET = 4000;

/**
 * `session` is the conversation; without one, `begin(message)` opens it with the first message. `actsOn()` names the live page that the
 * agent acts on, or nothing. `changed(session)` hears of each state. `parts` are to be shown one below the other; `open()` begins to follow.
 */
export function conversation({ session = null, begin, actsOn = () => undefined, changed = () => {}, placeholder = 'Ask a question or give an order', signal }) {
  let shown = 0;
  let isSending = false;
  let timer;
  const talk = h('ol', { class: 'talk', 'aria-label': 'Conversation' }, h('li', { class: 'empty' }, 'No messages yet.'));
  const state = h('div', { class: 'run-facts', role: 'status' });
  const approval = h('div');
  const words = h('textarea', { rows: 3, placeholder });
  const send = h('button', { class: 'first' }, 'Send');
  const form = h('form', { class: 'ask' }, field('Message', words, { hideLabel: true }), h('div', { class: 'buttons' }, send, h('span', { class: 'quiet' }, 'Ctrl+Enter sends')));
  const parts = [state, talk, approval, form];
  const base = () => route.session(session.session_id);
  signal.addEventListener('abort', () => clearTimeout(timer));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    ask();
  });
  words.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    ask();
  });

  async function ask() {
    const message = words.value.trim();
    if (!message || isSending) return;
    isSending = true;
    await attempt(async () => {
      session ??= await begin(message);
      await write('POST', `${base()}/messages`, { message, page: actsOn() });
      words.value = '';
      session = { ...session, status: 'working' };
      drawState();
    }, send);
    isSending = false;
    if (session) look();
  }

  function drawState() {
    const cannot = whyNot('run');
    const isOpen = !session || ['idle', 'interrupted'].includes(session.status);
    words.disabled = session?.status === 'ended' || Boolean(cannot);
    send.disabled = !isOpen || Boolean(cannot);
    send.title = cannot ?? '';
    if (!session) return;
    const { used } = session;
    put(state, mark(session.status), session.model && h('span', {}, session.model), session.skill && h('span', { class: 'tag' }, session.skill),
      used.calls > 0 && h('span', { class: 'quiet' }, `${count(used.calls, 'call')} · ${used.input_tokens.toLocaleString('en')} in, ${used.output_tokens.toLocaleString('en')} out, ${used.cache_read_tokens.toLocaleString('en')} from cache`,
        used.calls_without_price < used.calls && ` · $${used.dollars.toFixed(4)}`));
    put(approval, session.status === 'waiting' && session.approval && approvalBox(base(), session.approval, { decided: look, actsOn }),
      session.status === 'interrupted' && h('p', { class: 'why is-error' }, 'The service stopped in the middle of an answer. ', button('Continue', (pressed) => attempt(() => write('POST', `${base()}/resume`, { page: actsOn() }), pressed), { whyNot: cannot })));
    changed(session);
  }

  async function drawEntries() {
    const found = await readAll(`${base()}/entries`, {}, { signal });
    const fresh = found.items.filter((entry) => entry.number > shown);
    if (fresh.length > 0) shown = fresh.at(-1).number;
    const nodes = fresh.map(entryNode).filter(Boolean);
    if (nodes.length === 0) return;
    talk.querySelector('.empty')?.remove();
    talk.append(...nodes);
    nodes.at(-1).scrollIntoView({ block: 'nearest' });
    if (form.contains(document.activeElement) || document.activeElement?.tagName === 'H1') say(nodes.at(-1).textContent.slice(0, 200));
  }

  async function look() {
    clearTimeout(timer);
    if (signal.aborted) return;
    try {
      const next = await read(base(), {}, signal);
      const isNews = JSON.stringify(next) !== JSON.stringify(session);
      session = next;
      await drawEntries();
      if (isNews) drawState();
    } catch (error) {
      if (signal.aborted) return;
      put(state, mark('error', error.message));
    }
    clearTimeout(timer);
    timer = setTimeout(look, session.status === 'working' ? BUSY : QUIET);
  }

  return {
    parts,
    session: () => session,
    async open() {
      drawState();
      if (!session) return;
      await drawEntries();
      look();
    },
    async end() {
      session = await write('DELETE', base(), {});
      drawState();
    },
  };
}
