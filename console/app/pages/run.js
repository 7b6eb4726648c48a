// One run: live while it goes on, and afterwards all that is known of it.

import { pause, read, write } from '../api/client.js';
import { follow } from '../api/follow.js';
import { route } from '../api/paths.js';
import { runActions } from '../runs/actions.js';
import { consoleView } from '../runs/console-lines.js';
import { filmView } from '../runs/film.js';
import { progressView } from '../runs/progress.js';
import { reportView } from '../runs/report.js';
import { RunStory } from '../runs/story.js';
import { stateOf } from '../runs/rows.js';
import { testsView } from '../runs/tests-view.js';
import { workersView } from '../runs/workers.js';
import { whyNot } from '../shell/caller.js';
import { setQuery } from '../shell/router.js';
import { attempt, say } from '../shell/said.js';
import { commandLine } from '../view/copy.js';
import { h, put } from '../view/element.js';
import { mark } from '../view/mark.js';
import { button, choice, head } from '../view/parts.js';
import { ago, lasted } from '../view/time.js';
import { empty } from '../view/trouble.js';

const VIEWS = [['tests', 'Tests'], ['film', 'Film strip'], ['console', 'Console'], ['report', 'Report']];

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
        const cancel = button('Take it back', (pressed) => attempt(() => write('POST', `${route.run(name)}/stop`, {}), pressed), { whyNot: whyNot('run') });
        place.show('A run', head('A run that has not begun', { actions: isOver ? [] : [cancel] }),
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
      actions: runActions(run, { isLive: state.isLive, again: () => place.root.isConnected && again(place) }),
    }),
    h('div', { class: 'run-facts' }, mark(outcome), h('span', {}, 'began ', ago(run.started_at)),
      run.duration_ms !== undefined && h('span', {}, `took ${lasted(run.duration_ms)}`), h('span', { class: 'quiet' }, run.run),
      state.isLost && h('span', { role: 'status' }, mark('error', 'connection lost, trying again'))),
    commandLine(run.command));
}

async function again(place) {
  place.root.replaceChildren();
  await open(place);
}

/** Events come as fast as they like; the page is drawn once a frame at most. */
function live(place, state, parts, title) {
  const { story } = state;
  let asked = false;
  const draw = () => {
    asked = false;
    if (place.signal.aborted) return;
    parts.progress.draw(story, state);
    parts.workers.draw(story, state);
    parts[state.view].draw(story, state);
  };
  const ask = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(draw);
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
      if (wasLive) say(`The run is over: ${stateOf(state.run)}`);
      if (!story.tests.size) put(parts.tests.node, empty('No test was in this run.', 'Nothing fits what was asked for.'));
    },
  });
  ask();
}
