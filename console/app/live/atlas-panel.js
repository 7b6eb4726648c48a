// Atlas beside a live page: a goal that is carried out on it, and a conversation whose agent acts on it.

import { read, write } from '../api/client.js';
import { page } from '../api/paths.js';
import { conversation } from '../atlas/conversation.js';
import { h, put } from '../view/element.js';
import { box, button } from '../view/parts.js';
import { taskBox } from './task-box.js';

const HIDDEN = 'assay-atlas-hidden';

/**
 * `name` is the live page, `canTalk` whether agents can act on it. `whyNot()` says why nothing can be done on it now. Gives back the panel, the button that shows and hides it, and `refresh()` for when that has changed.
 */
export function atlasPanel({ name, base, title, canTalk, whyNot, signal }) {
  const heading = h('h2', { id: 'live-atlas-title', tabindex: -1 }, 'Atlas');
  const about = h('p', { class: 'quiet' });
  const rules = h('p', { class: 'quiet', hidden: true }, 'Without a model, Atlas understands requests by rules.');
  const task = taskBox({ base, whyNot, signal });
  const link = h('p', { class: 'quiet' });
  const talk = conversation({
    begin: (message) => write('POST', '/server/agent/sessions', { title: `${title}: ${message}`.slice(0, 80) }),
    actsOn: () => (canTalk && !whyNot() ? name : undefined),
    changed: (session) => put(link, h('a', { href: page.session(session.session_id), target: '_blank' }, 'Open the conversation in a new tab')),
    placeholder: 'Ask Atlas',
    signal,
  });
  talk.parts[1].tabIndex = 0;
  const node = h('aside', { class: 'live-atlas', 'aria-labelledby': heading.id }, h('div', { class: 'box-head' }, heading, link), about, task.node,
    box('Conversation', [rules, talk.parts], { level: 'h3' }));
  const toggle = button('Atlas', () => show(node.hidden, true));
  toggle.setAttribute('aria-controls', node.id = 'live-atlas');

  function show(is, isPressed = false) {
    node.hidden = !is;
    toggle.setAttribute('aria-expanded', String(is));
    toggle.textContent = is ? 'Hide Atlas' : 'Show Atlas';
    if (!isPressed) return;
    sessionStorage.setItem(HIDDEN, is ? '' : 'yes');
    if (is) {
      heading.focus({ preventScroll: true });
      node.scrollIntoView({ block: 'nearest' });
    }
  }

  function refresh() {
    const why = whyNot();
    about.textContent = why ?? (canTalk ? 'What you ask for is done on this page.' : 'A goal is carried out on this page. In a conversation, Atlas uses a browser of its own.');
    task.refresh();
  }

  async function open() {
    show(sessionStorage.getItem(HIDDEN) !== 'yes');
    refresh();
    await talk.open();
    const health = await read('/server/agent/health', {}, signal).catch(() => null);
    rules.hidden = !health || health.has_model;
  }

  return { node, toggle, open, refresh };
}
