// What is known of a run, event by event. Knows nothing of the page.

const CONSOLE_LINES = 2000;

/** A test of the run. `look` grows with each change that its row shows. */
function testOf(line) {
  return { ...line, state: 'not-run', attempt: 0, worker: null, steps: [], pictures: [], notes: [], reason: '', flaky: false, look: 0, duration: null, lastPage: null };
}

export class RunStory {
  tests = new Map();
  /** What runs now, by test: a worker that waits for one test carries out another. */
  running = new Map();
  /** Lines for the console: what assay did, what pages complained about. */
  lines = [];
  rejected = [];
  began = null;
  finished = null;
  lastPicture = null;
  /** Grows with each event. */
  version = 0;

  apply(event) {
    this.version += 1;
    const test = event.test === undefined ? null : this.known(event.test);
    const act = ACTS[event.event];
    if (act) act(this, event, test);
  }

  known(id) {
    let test = this.tests.get(id);
    if (!test) {
      test = testOf({ id, name: id, file: '', browser: '', tags: [] });
      this.tests.set(id, test);
    }
    return test;
  }

  say(at, kind, text, test) {
    this.lines.push({ at, kind, text, test: test?.name ?? '', number: this.version });
    if (this.lines.length > CONSOLE_LINES) this.lines.splice(0, this.lines.length - CONSOLE_LINES);
  }

  counts() {
    const counts = { passed: 0, failed: 0, inconclusive: 0, error: 0, running: 0, 'not-run': 0 };
    for (const test of this.tests.values()) counts[test.state] += 1;
    return counts;
  }

  flaky() {
    return [...this.tests.values()].filter((test) => test.flaky).length;
  }
}

const stepOf = (test, number) => {
  test.steps[number] ??= { text: '', part: 'step', state: 'not-run', commands: [], judgements: [], notes: [] };
  return test.steps[number];
};

const ACTS = {
  'run-started': (story, event) => {
    story.began = event.at;
    story.slots = event.workers;
    for (const line of event.tests) story.tests.set(line.id, testOf(line));
  },
  'run-resumed': (story) => {
    story.finished = null;
    story.running.clear();
  },
  'file-rejected': (story, event) => {
    story.rejected.push(event);
    story.say(event.at, 'bad', `${event.file}: ${event.message}`);
  },
  'test-started': (story, event, test) => {
    Object.assign(test, { state: 'running', attempt: event.attempt, worker: event.worker, steps: [], notes: [], reason: '', began: event.at });
    if (event.attempt === 1) test.pictures = [];
    test.look += 1;
    story.running.set(test.id, { worker: event.worker, test, step: '', picture: null });
    story.say(event.at, 'plain', event.attempt > 1 ? `began attempt ${event.attempt}` : 'began', test);
  },
  'step-started': (story, event, test) => {
    Object.assign(stepOf(test, event.step), { text: event.text, part: event.part, state: 'running' });
    test.step = event.text;
    const now = story.running.get(test.id);
    if (now) now.step = event.text;
  },
  command: (story, event, test) => {
    stepOf(test, event.step).commands.push(event);
    story.say(event.at, event.ok ? 'plain' : 'bad', [event.command, event.because, !event.ok && event.outcome].filter(Boolean).join(' · '), test);
    for (const line of event.console_errors ?? []) story.say(event.at, 'page', `console: ${line}`, test);
    for (const request of event.failed_requests ?? []) story.say(event.at, 'page', `${request.method} ${request.url}: ${request.why}`, test);
  },
  screenshot: (story, event, test) => {
    const picture = { path: event.path, step: event.step, at: event.at, test };
    test.pictures.push(picture);
    story.lastPicture = picture;
    const now = story.running.get(test.id);
    if (now) now.picture = picture;
  },
  note: (story, event, test) => {
    if (event.step === null || event.step === undefined) test.notes.push(event.text);
    else stepOf(test, event.step).notes.push(event.text);
    story.say(event.at, 'plain', event.text, test);
  },
  healed: (story, event, test) => {
    stepOf(test, event.step).notes.push(`healed: ${event.healing.found.map((one) => one.because).join('; ')}`);
    test.healed = true;
  },
  recovered: (story, event, test) => stepOf(test, event.step).notes.push(`recovered: ${event.reason}`),
  retried: (story, event, test) => story.say(event.at, 'plain', `tried again (${event.retry}): ${event.reason}`, test),
  'way-broken': (story, event, test) => stepOf(test, event.step).notes.push(`the way to ${event.to} is broken: ${event.reason}`),
  'step-finished': (story, event, test) => {
    Object.assign(stepOf(test, event.step), { state: event.verdict, reason: event.reason, judgements: event.judgements, duration: event.duration_ms });
  },
  'test-finished': (story, event, test) => {
    Object.assign(test, {
      state: event.interrupted ? 'not-run' : event.will_retry ? 'running' : event.verdict,
      reason: event.reason, flaky: event.flaky, duration: event.duration_ms, lastPage: event.last_page, claimsNothing: event.claims_nothing,
    });
    test.look += 1;
    story.running.delete(test.id);
    story.say(event.at, event.verdict === 'passed' ? 'good' : 'bad', `${event.verdict}${event.reason ? `: ${event.reason}` : ''}`, test);
  },
  'run-finished': (story, event) => {
    story.finished = event;
    story.running.clear();
    for (const test of story.tests.values()) {
      if (test.state === 'running') Object.assign(test, { state: 'not-run', look: test.look + 1 });
    }
  },
};
