// Runs and orders that wait, as rows of a list.

import { page } from '../api/paths.js';
import { shareBar } from '../charts/share.js';
import { h } from '../view/element.js';
import { mark } from '../view/mark.js';
import { ago, count, lasted } from '../view/time.js';

const PIECES = [['passed', 'passed', 'passed'], ['inconclusive', 'inconclusive', 'inconclusive'], ['failed', 'failed', 'failed'],
  ['error', 'errors', 'errors'], ['not-run', 'not run', 'not-run']];

export function runRows(found, { isShort = false } = {}) {
  return h('ul', { class: `rows run-rows ${isShort ? 'is-short' : ''}`, 'data-walk': true, 'aria-label': 'Runs' },
    (found.waiting ?? []).map(waitingRow), found.items.map((run) => runRow(run, isShort)));
}

export function runRow(run, isShort) {
  const state = stateOf(run);
  const counts = PIECES.map(([kind, words, name]) => [kind, words, run.metrics?.[name] ?? 0]).filter(([, , number]) => number > 0);
  return h('li', { class: 'row' }, mark(state),
    h('div', { class: 'row-main' },
      h('a', { href: page.run(run.run) }, `Run ${run.task}`), h('span', { class: 'quiet' }, ` ${shortCommand(run.command)}`),
      counts.length > 0 && h('div', { class: 'counts' }, shareBar(counts), h('span', { class: 'quiet' }, counts.map(([, words, number]) => `${number} ${words}`).join(', ')))),
    h('span', { class: 'quiet row-end' }, ago(run.started_at), !isShort && run.duration_ms !== undefined && h('span', {}, lasted(run.duration_ms))));
}

function waitingRow(order) {
  return h('li', { class: 'row' }, mark('waiting'),
    h('div', { class: 'row-main' }, h('a', { href: page.run(order.run) }, order.kind === 'resume' ? 'Resumed run' : 'New run'),
      h('span', { class: 'quiet' }, ` requested by ${order.by}`)),
    h('span', { class: 'quiet row-end' }, ago(order.accepted_at)));
}

/** How a run went, in one word: of a finished one its worst result. */
export function stateOf(run) {
  if (run.status !== 'finished') return run.status;
  const { metrics = {} } = run;
  if (metrics.failed) return 'failed';
  if (metrics.errors || run.interrupted || metrics['rejected-files']) return 'error';
  if (metrics.inconclusive) return 'inconclusive';
  return metrics.passed ? 'passed' : 'not-run';
}

/** Without the folder of results, which says nothing to a reader. */
export function shortCommand(command) {
  const words = command.replace(/\s--results=\S+/, '').replace(/\s--$/, '');
  return words.length > 90 ? `${words.slice(0, 89)}…` : words;
}

export function waitingWords(found) {
  return found.waiting?.length ? `${count(found.waiting.length, 'run')} waiting` : '';
}
