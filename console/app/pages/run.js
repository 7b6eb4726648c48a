// One run: live while it goes on, and afterwards all that is known of it.

import { pause, read, write } from '../api/client.js';
import { follow } from '../api/follow.js';
import { route } from '../api/paths.js';
import { runActions } from '../runs/actions.js';
import { consoleView } from '../runs/console-lines.js';
import { filmView } from '../runs/film.js';
import { progressView, progressWords } from '../runs/progress.js';
import { reportView } from '../runs/report.js';
import { RunStory } from '../runs/story.js';
import { stateOf } from '../runs/rows.js';
import { testsView } from '../runs/tests-view.js';
import { workersView } from '../runs/workers.js';
import { whyNot } from '../shell/caller.js';
import { go, setQuery } from '../shell/router.js';
import { attempt, say } from '../shell/said.js';
import { commandLine } from '../view/copy.js';
import { h, put } from '../view/element.js';
import { mark, wordOf } from '../view/mark.js';
import { button, choice, head } from '../view/parts.js';
import { ago, lasted } from '../view/time.js';
import { empty } from '../view/trouble.js';

const VIEWS = [['tests', 'Tests'], ['film', 'Film strip'], ['console', 'Console'], ['report', 'Report']];
/** Milliseconds between two drawings of a run. */
const PAUSE = 150;
/** Milliseconds between two words about how far a run is. */
const SPOKEN = 20_000;

export async function open(place) {
  const name = place.params.run;
  const run = await begun(place, name);
  if (!run) return;
  const story = new RunStory();
  const state = { run, story, isLive: run.status === 'running', isLost: false, view: place.query.get('view') ?? 'tests' };
  const title = h('div');
  const parts = {
    progress: progressView(),
    workers: workersView(name),
    tests: testsView(name, place.query.get('test'), (test) => setQuery({ test })),
    film: filmView(name),
    console: consoleView(),
    report: reportView(name),
  };
  const shown = h('div');
  const open_ = (view) => {
    state.view = view;
    setQuery({ view: view === 'tests' ? '' : view });
    put(shown, parts[view].node);
    parts[view].draw(story, state);
  };
  place.show(`Run ${run.task}`, title, parts.progress.node, parts.workers.node,
    h('div', { class: 'bar' }, choice('View', VIEWS, state.view, open_)), shown);
  put(shown, parts[state.view]?.node ?? parts.tests.node);
  drawTitle(title, state, place);
  live(place, state, parts, title);
}

/** Waits while the run has not begun, and says so. */
async function begun(place, name) {
  let isShown = false;
  while (!place.signal.aborted) {
    try {
      return await read(route.run(name), {}, place.signal);
    } catch (error) {
      if (error.status !== 409) throw error;
      const isOver = /taken back|never begun/.test(error.message);
      if (!isShown || isOver) {
        const cancel = button('Cancel the run', (pressed) => attempt(() => write('POST', `${route.run(name)}/stop`, {}), pressed), { whyNot: whyNot('run') });
        place.show('New run', head(isOver ? 'This run did not start' : 'Waiting to start', { actions: isOver ? [] : [cancel] }),
          h('p', { role: 'status' }, mark(isOver ? 'withdrawn' : 'waiting', error.message)),
          error.details.length > 0 && h('pre', {}, error.details.join('\n')));
      }
      isShown = true;
      if (isOver) return null;
      await pause(700);
    }
  }
  return null;
}

function drawTitle(title, state, place) {
  const { run } = state;
  const outcome = state.isLive ? 'running' : stateOf(run);
  put(title,
    head(`Run ${run.task}`, {
      above: h('a', { href: '/console/runs' }, 'Runs'),
      actions: runActions(run, { isLive: state.isLive, again: () => place.signal.aborted || go(location.pathname + location.search) }),
    }),
    h('div', { class: 'run-facts' }, mark(outcome), h('span', {}, 'started ', ago(run.started_at)),
      run.duration_ms !== undefined && h('span', {}, `took ${lasted(run.duration_ms)}`), h('span', { class: 'quiet' }, run.run),
      state.isLost && h('span', { role: 'status' }, mark('error', 'Connection lost. Trying again…'))),
    commandLine(run.command));
}

/** Events come as fast as they like; the page is drawn a few times a second at most. */
function live(place, state, parts, title) {
  const { story } = state;
  let asked = false;
  let drawn = 0;
  const draw = () => {
    asked = false;
    if (place.signal.aborted) return;
    drawn = performance.now();
    parts.progress.draw(story, state);
    parts.workers.draw(story, state);
    parts[state.view].draw(story, state);
    if (state.isLive) tellProgress();
  };
  let told = { at: Date.now(), words: '' };
  /** Read out now and then, not with each test. */
  const tellProgress = () => {
    const words = progressWords(story);
    if (Date.now() - told.at < SPOKEN || words === told.words) return;
    told = { at: Date.now(), words };
    say(words);
  };
  const ask = () => {
    if (asked) return;
    asked = true;
    const early = PAUSE - (performance.now() - drawn);
    if (early > 0) setTimeout(() => requestAnimationFrame(draw), early);
    else requestAnimationFrame(draw);
  };
  follow(state.run.run, {
    signal: place.signal,
    heard(event) {
      story.apply(event);
      ask();
    },
    lost(isLost) {
      if (state.isLost === isLost) return;
      state.isLost = isLost;
      drawTitle(title, state, place);
    },
    async ended() {
      const wasLive = state.isLive;
      state.isLive = false;
      state.isComplete = true;
      state.isLost = false;
      state.run = await read(route.run(state.run.run), {}, place.signal).catch(() => state.run);
      if (place.signal.aborted) return;
      drawTitle(title, state, place);
      draw();
      if (wasLive) say(`The run has ended: ${wordOf(stateOf(state.run))}. ${progressWords(story)}`);
      if (!story.tests.size) put(parts.tests.node, empty('This run has no tests.', 'No test matches what you asked for.'));
    },
  });
  ask();
}
