// How something stands: a shape, a colour and a word. The shape and the word suffice.

import { h, svg } from './element.js';

const SHAPES = {
  passed: 'M3.5 8.5l3 3 6-7',
  failed: 'M4 4l8 8M12 4l-8 8',
  inconclusive: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.8-1.1 1.6M8 12.4v.2',
  error: 'M8 3v6M8 12v.5',
  flaky: 'M2.5 10c1.5-5 3.5-5 5.5-2s4 3 5.5-2',
  running: 'M5.5 3.5l6 4.5-6 4.5z',
  warning: 'M8 3v6M8 12v.5',
  waiting: 'M8 4v4l2.5 1.5M8 2.2a5.8 5.8 0 1 1-.01 0',
  paused: 'M5.5 4v8M10.5 4v8',
  'not-run': 'M4 8h8',
};

/** Verdicts and states of runs, orders, incidents, devices and sessions, by the look they share. */
const LOOKS = {
  passed: 'passed', finished: 'passed', ok: 'passed', accepted: 'passed', full: 'passed', ended: 'passed',
  ready: 'passed', open: 'running', idle: 'waiting',
  refused: 'failed', failed: 'failed', critical: 'failed', none: 'failed', unavailable: 'failed',
  inconclusive: 'inconclusive', partial: 'inconclusive', 'proves-nothing': 'inconclusive',
  stale: 'inconclusive', overtaken: 'inconclusive', 'negative-only': 'inconclusive',
  error: 'error', interrupted: 'error', major: 'warning',
  flaky: 'flaky',
  running: 'running', working: 'running', starting: 'running', begun: 'running',
  waiting: 'waiting', queued: 'waiting', minor: 'waiting',
  paused: 'paused', stopped: 'paused', withdrawn: 'paused',
};

const WORDS = { 'not-run': 'not run', 'never-run': 'never run', 'negative-only': 'negative only', 'proves-nothing': 'proves nothing' };

export function lookOf(state) {
  return LOOKS[state] ?? 'not-run';
}

export function wordOf(state) {
  return WORDS[state] ?? state;
}

/** The shape alone, for places where the word stands beside it. */
export function shape(state) {
  const look = lookOf(state);
  const path = svg('path', { d: SHAPES[look], fill: look === 'running' ? 'currentColor' : 'none' });
  return svg('svg', { class: `shape is-${look}`, viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' }, path);
}

/** Shape and word. */
export function mark(state, word = wordOf(state)) {
  return h('span', { class: `mark is-${lookOf(state)}` }, shape(state), h('span', {}, word));
}
