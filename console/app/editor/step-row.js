// One step of a test that is stepped through: how it ended, what it did, and what it may mean.

import { h } from '../view/element.js';
import { shape, wordOf } from '../view/mark.js';
import { lasted } from '../view/time.js';

const LOOKS = { skipped: 'not-run', recorded: 'passed' };
const WORDS = { skipped: 'left out', recorded: 'recorded' };

/** `toggle` sets and clears a stop before it. */
export function stepRow(step, { isNext = false, isRunning = false, isStop = false, toggle = null }) {
  const { outcome } = step;
  const state = isRunning ? 'running' : outcome ? (LOOKS[outcome.verdict] ?? outcome.verdict) : 'waiting';
  const word = isRunning ? 'running' : outcome ? (WORDS[outcome.verdict] ?? wordOf(outcome.verdict)) : 'not taken yet';
  return h('li', { class: `live-step ${isNext ? 'is-next' : ''}`, 'aria-current': isNext ? 'step' : undefined }, shape(state),
    h('div', {},
      h('p', {}, step.text, h('span', { class: 'hidden' }, ` (${word})`)),
      outcome?.reason && h('p', { class: `why is-${outcome.verdict}` }, outcome.reason),
      outcome?.candidates?.length > 0 && h('ol', { class: 'live-candidates', 'aria-label': 'It may mean' }, outcome.candidates.map((one) => h('li', {}, `${one.role} “${one.name}”${one.box ? '' : ' (out of view)'}`))),
      outcome?.did?.length > 0 && h('details', {}, h('summary', {}, `What it did${outcome.took_ms ? ` · ${lasted(outcome.took_ms)}` : ''}`), h('pre', {}, outcome.did.join('\n')))),
    toggle && h('button', { type: 'button', class: 'plain live-stop', 'aria-pressed': String(isStop), 'aria-label': `Stop before: ${step.text}`, title: 'Stop before this step', on: { click: toggle } }, isStop ? '●' : '○'));
}
