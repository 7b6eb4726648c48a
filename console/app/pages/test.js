// One test file: its text, what its sentences mean, how its tests went, and running it.

import { read, write } from '../api/client.js';
import { page } from '../api/paths.js';
import { strip } from '../charts/strip.js';
import { Draft } from '../editor/draft.js';
import { firstText, recordingText } from '../editor/new-test.js';
import { meaningsView } from '../editor/meanings.js';
import { stepping } from '../editor/stepping.js';
import { textArea } from '../editor/text-area.js';
import { startRun } from '../runs/starting.js';
import { whyNot } from '../shell/caller.js';
import { confirmed } from '../shell/dialog.js';
import { go, guardLeaving } from '../shell/router.js';
import { attempt, notice, say } from '../shell/said.js';
import { h, put } from '../view/element.js';
import { mark } from '../view/mark.js';
import { box, button, head, table } from '../view/parts.js';
import { ago, lasted } from '../view/time.js';
import { empty, sentence } from '../view/trouble.js';

export async function open(place) {
  const path = place.params.file;
  const fresh = place.query.get('new');
  const recorded = fresh === null ? null : place.query.get('record');
  const first = () => (recorded ? recordingText(fresh, recorded) : firstText(fresh));
  const loaded = fresh === null ? await read('/server/tests/file', { path }, place.signal) : { path, text: first(), version: undefined };
  const draft = new Draft(loaded);
  // The tests of the text, as it was read last.
  let known = [];
  const cannot = whyNot('run');
  const state = h('p', { class: 'editor-state', role: 'status' });
  const meanings = meaningsView();
  const history = h('div');
  const save = button('Save', () => saved(), { first: true, whyNot: cannot });
  const run = button('Run this file', (pressed) => runIt(pressed, {}), { whyNot: cannot });
  const walk = button('Step through', () => steps.open(), { whyNot: cannot });
  const replay = button('Save, replay and lock', (pressed) => runIt(pressed, { lock: 'write' }), { whyNot: cannot });
  replay.hidden = !recorded;
  const remove = button('Delete', () => deleted(), { danger: true, whyNot: cannot });
  const area = textArea(draft.text, { label: 'Test text', isLocked: Boolean(cannot), changed: (text) => changed(text), save: () => saved() });
  const steps = stepping({ path, text: () => draft.text, tests: () => known, setText, fresh: recorded ? { name: fresh, url: recorded } : null, signal: place.signal });

  place.show(path,
    head(path, { above: h('a', { href: '/console/tests' }, 'Tests'), actions: [remove, walk, run, replay, save] }),
    steps.node,
    h('div', { class: 'editor' },
      h('div', { class: 'editor-text' }, area.node, state),
      h('div', { class: 'editor-means' }, meanings.node)),
    box('Latest results', history));
  guardLeaving(() => !draft.isTouched || window.confirm('Leave without saving your changes?'), place.signal);
  let waits;
  place.signal.addEventListener('abort', () => clearTimeout(waits));
  tell();
  check();
  if (recorded && !cannot) steps.open();
  await showHistory();
  if (place.query.get('test')) document.querySelector(`[data-test="${CSS.escape(place.query.get('test'))}"]`)?.scrollIntoView({ block: 'center' });

  function changed(text) {
    draft.text = text;
    tell();
    steps.edited();
    clearTimeout(waits);
    waits = setTimeout(check, 350);
  }

  /** What was recorded becomes text. */
  function setText(text, line) {
    area.set(text);
    changed(text);
    if (line) area.show(line);
  }

  function tell(words, isBad) {
    area.node.dataset.unsaved = String(draft.isTouched);
    save.disabled = Boolean(cannot) || !draft.isChanged;
    state.classList.toggle('is-bad', Boolean(isBad));
    state.textContent = words ?? (cannot ? `Read only. ${cannot}` : draft.isNew ? 'Not saved yet.' : draft.isChanged ? 'Unsaved changes.' : 'Saved.');
  }

  /** Says what the text means. Only the newest answer counts. */
  async function check() {
    if (cannot) {
      meanings.withheld(cannot);
      return;
    }
    const text = draft.text;
    meanings.busy();
    try {
      const found = await write('POST', '/server/tests/check', { path, text }, { signal: place.signal, keyed: false });
      if (text !== draft.text) return;
      known = found.tests.map((test) => test.id);
      meanings.show(found.tests);
      area.marks([]);
    } catch (error) {
      if (place.signal.aborted || text !== draft.text) return;
      meanings.mistaken(error, (line) => area.goTo(line));
      area.marks(meanings.lines());
    }
  }

  async function saved(version = draft.version) {
    if (save.disabled && version === draft.version) return;
    const text = draft.text;
    save.disabled = true;
    try {
      const done = await write('PUT', '/server/tests/file', { path, text, version });
      const wasNew = draft.isNew;
      draft.savedAs(text, done.version);
      tell();
      say('Saved');
      if (wasNew) history_(page.test(path));
      if (!done.is_understood) notice('Saved. assay does not understand some sentences yet.');
    } catch (error) {
      tell(sentence(error.message), true);
      if (error.code === 'conflict') await conflict(error);
    }
  }

  /** Somebody else has changed the file: nothing is overwritten unasked. */
  async function conflict(error) {
    const theirs = await read('/server/tests/file', { path }).catch(() => null);
    if (!theirs) {
      tell(`${sentence(error.message)} Somebody deleted or moved the file.`, true);
      return;
    }
    const isMine = await confirmed('Somebody else changed this file', 'Save your text over theirs, or cancel to compare: their text then appears beside yours.', 'Overwrite theirs');
    if (isMine) {
      await saved(theirs.version);
      return;
    }
    meanings.theirs(theirs, () => {
      draft.loaded(theirs);
      area.set(theirs.text);
      tell();
      check();
    });
  }

  async function runIt(pressed, more) {
    await steps.endRecording();
    if (draft.isChanged || draft.isNew) await saved();
    if (!draft.isChanged && !draft.isNew) await startRun({ paths: [path], ...more }, pressed);
  }

  async function deleted() {
    if (!(await confirmed('Delete this file?', 'You can restore it from the bin.', 'Delete'))) return;
    await attempt(async () => {
      await write('DELETE', '/server/tests/file', { path, version: draft.version });
      draft.savedAs(draft.text, draft.version);
      notice(`Moved ${path} to the bin.`);
      go('/console/tests');
    }, remove);
  }

  async function showHistory() {
    if (draft.isNew) {
      put(history, empty('Save the file to run its tests.'));
      return;
    }
    const listed = await read('/server/tests', { grep: path, limit: 100 }, place.signal);
    const tests = listed.items.filter((test) => test.file === path);
    const all = await Promise.all(tests.slice(0, 20).map(async (test) => ({ ...(await read('/server/tests/history', { test: test.id, limit: 20 }, place.signal)), test })));
    put(history, all.length === 0 ? empty('This file has no readable test.') : table('Tests of this file', [
      ['Result', ({ results }) => mark(results[0] ? (results[0].flaky ? 'flaky' : results[0].verdict) : 'never-run')],
      ['Test', ({ test, results }) => [h('span', { 'data-test': test.id }, results[0] ? h('a', { href: page.testOfRun(results[0].run, results[0].id) }, test.name) : test.name), results[0]?.reason && h('p', { class: 'quiet' }, results[0].reason)]],
      ['History', ({ results }) => (results.length ? strip(results) : '')],
      ['Duration', ({ results }) => (results[0] ? lasted(results[0].duration_ms) : ''), 'number'],
      ['When', ({ results }) => (results[0] ? ago(results[0].at) : '')],
    ], all));
  }
}

/** A file that is saved is not new any more, also after a reload. */
function history_(address) {
  window.history.replaceState(null, '', address);
}
