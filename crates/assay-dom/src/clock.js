// Replaces the clock of the page's own world: Date, performance.now, timers and animation frames. Real time continues
// to pass in it. It can be set, or advanced, which runs every timer that becomes due on the way. Runs before any script
// of the page, and again whenever the clock is moved; then it only takes the new numbers.
((KEY, ahead, advanced) => {
  'use strict';
  const known = globalThis[KEY];
  if (known) return known(ahead, advanced);
  if (ahead === null) return;
  const apply = Reflect.apply;
  const RealDate = Date;
  const realWall = Date.now.bind(Date);
  const realSteady = performance.now.bind(performance);
  const askTimer = window.setTimeout.bind(window);
  const dropTimer = window.clearTimeout.bind(window);
  const askFrame = window.requestAnimationFrame.bind(window);
  const dropFrame = window.cancelAnimationFrame.bind(window);
  const FRAME = 16;
  const LONGEST_SLEEP = 2147483647;
  // A callback that requests itself again and again must not block us forever.
  const MOST_CALLS = 100000;

  let offset = ahead;
  let passed = advanced;
  let shift = 0;
  // While time advances: the moment of the running timer.
  let held = null;
  const steady = () => (held ? held.steady : realSteady() + shift);
  const wall = () => (held ? Math.floor(held.wall) : realWall() + offset);

  // Timer ids that no earlier timer can have.
  let next = 1000000000;
  const asked = new Map();
  let alarm = 0;

  const earliest = (until, withFrames) => {
    let found = null;
    for (const entry of asked.values()) {
      if (entry.due > until || (entry.frame && !withFrames)) continue;
      if (!found || entry.due < found.due) found = entry;
    }
    return found;
  };
  const call = (entry) => {
    if (entry.every === undefined) asked.delete(entry.id);
    else entry.due += entry.every;
    if (entry.native) dropFrame(entry.native);
    try {
      if (entry.frame) apply(entry.callback, window, [steady()]);
      else apply(entry.callback, window, entry.rest);
    } catch (error) {
      if (window.reportError) window.reportError(error);
      else askTimer(() => { throw error; }, 0);
    }
  };
  const ring = () => {
    alarm = 0;
    const until = steady();
    let entry;
    for (let calls = 0; calls < MOST_CALLS && (entry = earliest(until, false)); calls += 1) call(entry);
    wind();
  };
  const wind = () => {
    if (held) return;
    if (alarm) dropTimer(alarm);
    const entry = earliest(Infinity, false);
    alarm = entry ? askTimer(ring, Math.min(Math.max(0, entry.due - steady()), LONGEST_SLEEP)) : 0;
  };
  const advance = (ms) => {
    const from = steady();
    const wallFrom = wall();
    let entry;
    for (let calls = 0; calls < MOST_CALLS && (entry = earliest(from + ms, true)); calls += 1) {
      const at = Math.max(entry.due, held ? held.steady : from);
      held = { steady: at, wall: wallFrom + (at - from) };
      call(entry);
    }
    held = null;
    shift += ms;
    offset += ms;
    // Intervals that are still overdue after the maximum of calls skip the missed calls.
    for (const late of asked.values()) {
      if (late.every !== undefined && late.due < steady()) late.due = steady() + late.every;
    }
    wind();
  };

  const wrap = (owner, name, handle) => {
    owner[name] = new Proxy(owner[name], { apply: handle });
  };
  const ask = (repeats) => (target, self, args) => {
    const callback = args[0];
    if (typeof callback !== 'function') return apply(target, self, args);
    const delay = Math.max(1, Number(args[1]) || 0);
    const id = (next += 1);
    asked.set(id, { id, callback, rest: args.slice(2), due: steady() + delay, every: repeats ? delay : undefined });
    wind();
    return id;
  };
  const drop = (target, self, args) => {
    const entry = asked.get(args[0]);
    if (!entry) return apply(target, self, args);
    asked.delete(entry.id);
    if (entry.native) dropFrame(entry.native);
    return undefined;
  };
  wrap(window, 'setTimeout', ask(false));
  wrap(window, 'setInterval', ask(true));
  wrap(window, 'clearTimeout', drop);
  wrap(window, 'clearInterval', drop);
  wrap(window, 'requestAnimationFrame', (target, self, args) => {
    const callback = args[0];
    if (typeof callback !== 'function') return apply(target, self, args);
    const entry = { id: (next += 1), callback, due: steady() + FRAME, frame: true };
    entry.native = askFrame(() => {
      entry.native = 0;
      if (asked.has(entry.id)) call(entry);
    });
    asked.set(entry.id, entry);
    return entry.id;
  });
  wrap(window, 'cancelAnimationFrame', drop);
  wrap(Performance.prototype, 'now', steady);
  const now = new Proxy(RealDate.now, { apply: wall });
  const PageDate = new Proxy(RealDate, {
    construct: (target, args, self) => Reflect.construct(target, args.length ? args : [wall()], self === PageDate ? RealDate : self),
    apply: () => new RealDate(wall()).toString(),
    get: (target, name, self) => (name === 'now' ? now : Reflect.get(target, name, self)),
  });
  RealDate.prototype.constructor = PageDate;
  window.Date = PageDate;

  Object.defineProperty(globalThis, KEY, {
    value: (to, through) => {
      if (through > passed) advance(through - passed);
      passed = through;
      offset = to === null ? 0 : to;
    },
  });
})
