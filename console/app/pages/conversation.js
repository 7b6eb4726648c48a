// One conversation: what was said and done, what waits for a decision, and the next question.

import { read, readAll, write } from '../api/client.js';
import { route } from '../api/paths.js';
import { entryNode } from '../atlas/entries.js';
import { approvalBox } from '../atlas/approval.js';
import { whyNot } from '../shell/caller.js';
import { attempt, say } from '../shell/said.js';
import { h, put } from '../view/element.js';
import { mark } from '../view/mark.js';
import { button, field, head } from '../view/parts.js';
import { count } from '../view/time.js';

const BUSY = 700;
const QUIET = 4000;

export async function open(place) {
  const base = route.session(place.params.session);
  let session = await read(base, {}, place.signal);
  let shown = 0;
  let isSending = false;
  const talk = h('ol', { class: 'talk', 'aria-label': 'Conversation' });
  const state = h('div', { class: 'run-facts', role: 'status' });
  const approval = h('div');
  const words = h('textarea', { rows: 3, placeholder: 'Ask a question or give an order' });
  const send = h('button', { class: 'first' }, 'Send');
  const form = h('form', { class: 'ask' }, field('Message', words, { hideLabel: true }), h('div', { class: 'buttons' }, send, h('span', { class: 'quiet' }, 'Ctrl+Enter sends')));
  const end = button('End conversation', (pressed) => attempt(async () => { session = await write('DELETE', base, {}); drawState(); }, pressed), { whyNot: whyNot('run') });
  place.show(session.title || `Conversation ${session.session_id}`,
    head(session.title || `Conversation ${session.session_id}`, { above: h('a', { href: '/console/atlas' }, 'Atlas'), says: `with ${session.agent}`, actions: [end] }),
    state, talk, approval, form);

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
      await write('POST', `${base}/messages`, { message });
      words.value = '';
      session = { ...session, status: 'working' };
      drawState();
    }, send);
    isSending = false;
    look();
  }

  function drawState() {
    const { used } = session;
    put(state, mark(session.status), session.model && h('span', {}, session.model), session.skill && h('span', { class: 'tag' }, session.skill),
      used.calls > 0 && h('span', { class: 'quiet' }, `${count(used.calls, 'call')} · ${used.input_tokens.toLocaleString('en')} in, ${used.output_tokens.toLocaleString('en')} out, ${used.cache_read_tokens.toLocaleString('en')} from cache`,
        used.calls_without_price < used.calls && ` · $${used.dollars.toFixed(4)}`));
    const isOpen = ['idle', 'interrupted'].includes(session.status);
    const cannot = whyNot('run');
    words.disabled = session.status === 'ended' || Boolean(cannot);
    send.disabled = !isOpen || Boolean(cannot);
    send.title = cannot ?? '';
    end.disabled = session.status === 'ended' || Boolean(cannot);
    put(approval, session.status === 'waiting' && session.approval && approvalBox(base, session.approval, look),
      session.status === 'interrupted' && h('p', { class: 'why is-error' }, 'The service stopped in the middle of an answer. ', button('Continue', (pressed) => attempt(() => write('POST', `${base}/resume`, {}), pressed), { whyNot: cannot })));
  }

  async function drawEntries() {
    const found = await readAll(`${base}/entries`, {}, { signal: place.signal });
    const fresh = found.items.filter((entry) => entry.number > shown);
    if (fresh.length > 0) shown = fresh.at(-1).number;
    const nodes = fresh.map(entryNode).filter(Boolean);
    if (nodes.length > 0) {
      talk.querySelector('.empty')?.remove();
      talk.append(...nodes);
      nodes.at(-1).scrollIntoView({ block: 'nearest' });
      if (place.root.contains(document.activeElement)) say(nodes.at(-1).textContent.slice(0, 200));
    }
    if (!talk.childElementCount) put(talk, h('li', { class: 'empty' }, 'No messages yet.'));
  }

  async function look() {
    clearTimeout(timer);
    if (place.signal.aborted) return;
    try {
      const next = await read(base, {}, place.signal);
      const isNews = JSON.stringify(next) !== JSON.stringify(session);
      session = next;
      await drawEntries();
      if (isNews) drawState();
    } catch (error) {
      if (place.signal.aborted) return;
      put(state, mark('error', error.message));
    }
    timer = setTimeout(look, session.status === 'working' ? BUSY : QUIET);
  }
  let timer;
  place.signal.addEventListener('abort', () => clearTimeout(timer));
  drawState();
  await drawEntries();
  look();
}
