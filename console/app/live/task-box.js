// The task of a live page: its goal, its parts, the tabs that belong to it, what was done for it; pause, resume and stop.

import { read, write } from '../api/client.js';
import { attempt, say } from '../shell/said.js';
import { h, put } from '../view/element.js';
import { mark } from '../view/mark.js';
import { box, button, field } from '../view/parts.js';
import { ago, count } from '../view/time.js';
import { sentence } from '../view/trouble.js';

const BUSY = 700;
const QUIET = 4000;
const LOOKS = { pending: 'waiting', running: 'running', done: 'passed', failed: 'failed', unknown: 'inconclusive' };

/** `whyNot()` says why nothing can be begun now, or nothing. */
export function taskBox({ base, whyNot, signal }) {
  let task = null;
  let drawn = '';
  let timer;
  const goal = h('textarea', { rows: 3, placeholder: 'Open the orders, then click Cancel. The text "cancelled" is shown.' });
  const start = h('button', { class: 'first' }, 'Start task');
  const form = h('form', { class: 'form' }, field('Goal', goal, { help: 'What to do on this page, and what should be true then.' }), h('div', { class: 'buttons' }, start));
  const told = h('div', { role: 'status' });
  const context = h('div', { class: 'task-context' });
  const node = box('Task', [told, context, form], { level: 'h3', extra: 'task-box' });
  signal.addEventListener('abort', () => clearTimeout(timer));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const why = whyNot();
    if (why) {
      say(why);
      put(told, h('p', { class: 'why' }, why));
      return;
    }
    const words = goal.value.trim();
    if (words) order('', { goal: words }, start).then((went) => { if (went) goal.value = ''; });
  });
  goal.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });

  function order(what, body, pressed) {
    return attempt(async () => {
      show((await write('POST', `${base}/task${what}`, body, { keyed: false })).task ?? null);
      look();
    }, pressed);
  }

  const act = (name, what, body, more) => button(name, (pressed) => order(what, body, pressed), { whyNot: whyNot(), ...more });

  function show(next) {
    const before = task?.status;
    task = next;
    const now = JSON.stringify([task, whyNot()]);
    if (now === drawn) return;
    drawn = now;
    // What is pressed or unfolded stays so.
    const isOpen = context.querySelector('details')?.open;
    const focused = context.contains(document.activeElement) ? document.activeElement.textContent : null;
    form.hidden = Boolean(task && ['running', 'paused'].includes(task.status));
    put(told, task && [mark(task.status, task.at_work || task.status !== 'running' ? task.status : 'left by its worker'), task.reason && h('p', { class: `why is-${task.subtasks.some((part) => part.status === 'failed') ? 'failed' : 'inconclusive'}` }, sentence(task.reason))]);
    put(context, task && parts(isOpen));
    if (focused) [...context.querySelectorAll('button')].find((one) => one.textContent === focused)?.focus();
    else if (before && before !== task?.status) say(`The task is ${task?.status}.`);
  }

  function parts(isOpen) {
    const canGoOn = task.status === 'paused' || (task.status === 'running' && !task.at_work);
    return [
      h('p', {}, h('strong', {}, task.goal)),
      h('ol', { class: 'task-parts', 'aria-label': 'Parts of the goal' }, task.subtasks.map((part) => h('li', {}, mark(LOOKS[part.status], part.status), h('span', {}, part.text)))),
      h('div', { class: 'buttons' },
        task.at_work && task.status === 'running' && act('Pause', '/pause', {}),
        canGoOn && act('Resume', '/resume', {}, { first: true }),
        canGoOn && act('Skip this part', '/resume', { part: 'skip' }),
        canGoOn && act('Do it again', '/resume', { part: 'again' }),
        ['running', 'paused'].includes(task.status) && act('Stop', '/stop', {})),
      task.tabs.length > 0 && h('section', { 'aria-label': 'Tabs of the task' }, h('h4', {}, 'Tabs'), h('ul', { class: 'task-tabs' }, task.tabs.map((tab) => h('li', {}, tab.title || 'Untitled', h('p', { class: 'quiet' }, tab.url))))),
      task.errors.length > 0 && h('section', { 'aria-label': 'Errors of the task' }, h('h4', {}, 'Errors'), h('ul', {}, task.errors.map((error) => h('li', { class: 'quiet' }, error)))),
      h('details', { class: 'task-history', open: isOpen ?? true }, h('summary', {}, count(task.actions.length, 'action')),
        h('ol', { tabindex: 0, 'aria-label': 'Actions of the task' }, task.actions.map((one) => h('li', {}, mark(LOOKS[one.end], one.end), h('div', {}, h('code', {}, one.command), h('p', { class: 'quiet' }, ago(one.at), one.commits && ' · commits something', one.outcome && ` · ${one.outcome}`)))))),
    ];
  }

  async function look() {
    clearTimeout(timer);
    if (signal.aborted) return;
    try {
      if (!document.hidden) show((await read(`${base}/task`, {}, signal)).task ?? null);
    } catch (error) {
      if (signal.aborted || error.status === 404) return;
      put(told, mark('error', error.message));
    }
    clearTimeout(timer);
    timer = setTimeout(look, task?.at_work ? BUSY : QUIET);
  }

  return {
    node,
    /** What may be done has changed. */
    refresh() {
      show(task);
      look();
    },
  };
}
