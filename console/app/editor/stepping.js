// Steps through the test of a text as it stands, on a live page: one step at a time, up to a stop, or with sentences that are only
// tried. What somebody does on the page may be recorded as sentences.

import { livePage } from '../live/live-page.js';
import { Remote, openPage, ownPages } from '../live/remote.js';
import { inserted, needsSecret, recordedText } from '../live/yaml-steps.js';
import { dialog } from '../shell/dialog.js';
import { attempt, notice } from '../shell/said.js';
import { h, put } from '../view/element.js';
import { shape } from '../view/mark.js';
import { button, field } from '../view/parts.js';
import { sentence } from '../view/trouble.js';
import { stepRow } from './step-row.js';

const EDIT_MS = 600;

/**
 * `path`, `text()`, `tests()` (ids) and `setText(text, line)` are those of the editor; `fresh` says that the test is recorded from its beginning: `{name, url}`.
 * Gives back the part of the page, and what it has to hear of.
 */
export function stepping({ path, text, tests, setText, fresh, signal }) {
  const node = h('section', { class: 'stepping box', 'aria-label': 'Step through', hidden: true });
  let remote = null;
  let ended = null;
  let now = null;
  let live = null;
  let isRecording = Boolean(fresh);
  let stops = [];
  let seen = 0;
  let lastLine = 0;
  let generated = null;
  let test;
  let waits;
  signal.addEventListener('abort', () => close({ quietly: true }));
  addEventListener('pagehide', () => remote?.endAtOnce(), { signal });

  const says = h('p', { class: 'stepping-says', role: 'status' });
  const rows = h('ol', { class: 'live-steps', 'aria-label': 'Steps' });
  const tried = h('div', { role: 'status' });
  const order = (what) => (pressed) => attempt(() => remote.post('steps', { order: what }), pressed);
  const next = button('Next', order('next'), { first: true });
  const goOn = button('Go on', order('go_on'));
  const pause = button('Pause', order('pause'));
  const skip = button('Leave out', order('skip'));
  const record = button('Record', () => setRecording(!isRecording));
  const stop = button('Stop', () => close({}));
  const words = h('input', { type: 'text', autocomplete: 'off', placeholder: 'Click the "Save" button' });
  const tryIt = h('button', {}, 'Try');
  const form = h('form', { class: 'live-try' }, field('Try a sentence on this page', words, { help: 'It is not written into the test.' }), tryIt);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const said = words.value.trim();
    if (said) attempt(() => remote.post('tries', { sentence: said }), tryIt);
  });

  async function open() {
    if (remote) return;
    const known = tests();
    test = undefined;
    if (known.length > 1) {
      test = await chosen(known);
      if (!test) return;
    }
    node.hidden = false;
    says.textContent = 'The browser is being opened…';
    put(node, head(), h('p', { class: 'quiet' }, fresh ? 'Use the page: what you do becomes sentences of the test. Passwords become ${PASSWORD}, never their text.' : 'What happens here is no result: it is not counted, neither in the history nor in the coverage.'));
    node.scrollIntoView({ block: 'start' });
    try {
      // One that a reload has left.
      for (const left of await ownPages((one) => one.path === path)) await new Remote(left).end();
      const name = await openPage({ text: text(), path, test, go_on: Boolean(fresh) });
      remote = new Remote(name);
    } catch (error) {
      says.textContent = '';
      put(node, h('p', { class: 'is-bad', role: 'alert' }, [error.message, error.hint].filter(Boolean).map(sentence).join(' ')), h('div', { class: 'buttons' }, button('Close', () => close({}))));
      return;
    }
    if (signal.aborted) {
      close({ quietly: true });
      return;
    }
    ended = new AbortController();
    live = livePage(remote, {
      signal: ended.signal,
      isRecording: () => isRecording,
      whyNot: () => (now?.status === 'running' ? 'A step is being carried out.' : null),
      heard: (page) => draw(page),
      claimed: (claim) => attempt(() => (isRecording ? remote.post('claims', { sentence: claim }) : Promise.resolve(write(claim)))),
    });
    put(node, head(), h('div', { class: 'stepping-parts' }, live.node,
      h('div', { class: 'stepping-steps' }, h('p', { class: 'quiet' }, 'No result: what is stepped through is not counted.'), rows, form, tried)));
  }

  function head() {
    return h('div', { class: 'box-head' }, h('h2', {}, fresh ? 'Recording' : 'Step through'), h('div', { class: 'buttons' }, [next, goOn, pause, skip, record, stop]), says);
  }

  /** A claim outside of a recording is written where the next step stands. */
  function write(claim) {
    const done = inserted(text(), { kind: 'claim', text: claim }, lineBefore());
    setText(done.text, done.line);
    edited();
  }

  function draw(page) {
    now = page;
    const isRunning = page.status === 'running' || page.status === 'starting';
    const isOver = page.status === 'ended';
    const left = page.next < page.steps.length;
    for (const one of [next, goOn, skip, record, tryIt]) one.disabled = isRunning || isOver;
    next.disabled ||= !left && Boolean(page.conclusion);
    goOn.disabled ||= !left && Boolean(page.conclusion);
    skip.disabled ||= !left;
    pause.disabled = page.status !== 'running';
    record.setAttribute('aria-pressed', String(isRecording));
    says.textContent = told(page);
    put(rows, page.steps.map((step, at) => stepRow(step, { isNext: at === page.next && !isOver, isRunning: isRunning && at === page.next, isStop: stops.includes(step.line), toggle: step.line > 0 ? () => toggle(step.line) : null })),
      page.conclusion && h('li', { class: `live-step is-${page.conclusion.verdict}` }, shape(page.conclusion.verdict), h('div', {}, h('p', {}, h('strong', {}, `All together: ${page.conclusion.verdict}`)), page.conclusion.reason && h('p', { class: 'quiet' }, page.conclusion.reason))));
    put(tried, page.tried && h('ol', { class: 'live-steps', 'aria-label': 'Tried' }, stepRow(page.tried, {})));
    const unclear = page.tried?.outcome ?? page.steps[page.next]?.outcome;
    live?.mark(unclear?.candidates ?? []);
    takeRecorded(page);
  }

  function told(page) {
    if (page.status === 'ended') return sentence(page.note || 'The page has ended');
    if (page.status === 'starting') return 'The browser is being opened…';
    const step = page.steps[page.next];
    if (page.status === 'running') return step ? `Carries out: ${step.text}` : 'Weighs what the claims come to…';
    if (page.note) return sentence(page.note);
    if (isRecording) return 'Recording. What you do becomes sentences.';
    if (!step) return page.conclusion ? `At the end: ${page.conclusion.verdict}.` : 'All steps were taken.';
    return `${step.outcome && step.outcome.verdict !== 'recorded' ? `This step ${step.outcome.verdict === 'failed' ? 'failed' : `is ${step.outcome.verdict}`}. Change it, or go on from here` : 'Before'}: ${step.text}`;
  }

  /** What was recorded goes into the text, each once. */
  function takeRecorded(page) {
    const news = page.recorded.filter((one) => one.number > seen);
    if (!news.length) return;
    seen = page.recorded.at(-1).number;
    for (const one of news.filter((entry) => entry.kind === 'unsaid')) notice(`Not recorded: ${one.text}.`, { isBad: true });
    if (news.some(needsSecret)) notice('The password is not in the test. Set the variable PASSWORD where the service runs, so that the test can be run.');
    if (fresh && (generated === null || text() === generated)) {
      const first = { kind: 'act', text: `Go to ${fresh.url}` };
      generated = recordedText(fresh.name, [first, ...page.recorded]);
      setText(generated);
    } else {
      for (const one of news.filter((entry) => entry.kind !== 'unsaid')) {
        const done = inserted(text(), one, Math.max(lastLine, lineBefore()));
        lastLine = done.line;
        setText(done.text, done.line);
      }
    }
    edited();
  }

  /** The line of the last step that is over. */
  function lineBefore() {
    const over = (now?.steps ?? []).slice(0, now?.next ?? 0).filter((step) => step.part !== 'expected');
    return over.reduce((line, step) => Math.max(line, step.line), 0);
  }

  function toggle(line) {
    stops = stops.includes(line) ? stops.filter((one) => one !== line) : [...stops, line];
    attempt(() => remote.put('stops', { lines: stops }));
    draw(now);
  }

  async function setRecording(is) {
    if (!is) await attempt(() => remote.post('recording/end', {}), record);
    isRecording = is;
    lastLine = 0;
    if (now) draw(now);
  }

  /** The text was changed: what is over stays over. */
  function edited() {
    if (!remote || now?.status === 'ended') return;
    clearTimeout(waits);
    waits = setTimeout(async () => {
      try {
        await remote.put('text', { text: text(), test });
        lastLine = 0;
      } catch (error) {
        // A text that is half written is no test yet; a step under way is waited for.
        if (error.status === 409 && !signal.aborted) edited();
      }
    }, EDIT_MS);
  }

  async function close({ quietly }) {
    clearTimeout(waits);
    if (isRecording && remote && !quietly) await setRecording(false);
    const gone = remote;
    remote = null;
    ended?.abort();
    node.hidden = true;
    put(node);
    seen = 0;
    stops = [];
    // It ends by itself where the service cannot be asked any more.
    await gone?.end().catch(() => {});
  }

  return {
    node,
    open,
    edited,
    async endRecording() {
      if (isRecording && remote) await setRecording(false);
    },
  };
}

/** One of several tests of a file; nothing if the question is closed. */
function chosen(tests) {
  return new Promise((settle) => {
    const box = dialog('Which test?', (close) => h('div', { class: 'live-choices' }, tests.map((id) => h('button', { type: 'button', on: { click: () => { settle(id); close(); } } }, id))));
    box.addEventListener('close', () => settle(null));
  });
}
