// Runs in the page's own world, before any script of the page, and reports what an isolated world cannot see: which
// elements have a click listener, which timers and animation frames the page requests during an act, and what it says
// and hears over sockets. It adds nothing that a page could find:
// proxies wrap the native functions and print as native code, and the only link to the page script
// is an element that is in no document.
(() => {
  'use strict';
  const KEY = '__ASSAY_KEY__';
  const LONGEST_TIMER = 1000;
  // A claim that something is absent waits for timers up to this long.
  const LATEST_TIMER = 6000;
  /** A document that is being read and sets a timer no longer than this has not come before it ran. */
  const EARLY_TIMER = 400;
  const DEEPEST_CHAIN = 3;
  const apply = Reflect.apply;
  const now = performance.now.bind(performance);
  const MouseEventCtor = MouseEvent;
  const nativeSetAttribute = Element.prototype.setAttribute;
  const nativeGetAttribute = Element.prototype.getAttribute;
  const nativeRemoveAttribute = Element.prototype.removeAttribute;
  const nativeHasAttribute = Element.prototype.hasAttribute;
  const nativeDispatch = EventTarget.prototype.dispatchEvent;
  const nativeRoot = Node.prototype.getRootNode;
  const pending = new Map();
  let channel = null;
  let depth = 0;
  let running = null;

  const onHello = (event) => {
    channel = event.relatedTarget;
    for (const what of heard) note(what);
    if (latest) apply(nativeSetAttribute, channel, ['later', '' + latest]);
    if (awaited) countAwaited(0);
    if (pending.size) report();
    if (expected) say('expected', expected);
    document.removeEventListener(KEY, onHello, true);
    event.stopImmediatePropagation();
  };
  document.addEventListener(KEY, onHello, true);

  // Pages that listen for keys must get key events; for others assay can skip them.
  const KEYS = new Set(['keyup', 'keydown', 'keypress']);
  const heard = new Set();
  const note = (what) => {
    heard.add(what);
    if (channel) apply(nativeSetAttribute, channel, [what, '']);
  };

  const watched = () => channel !== null && apply(nativeHasAttribute, channel, ['armed']);
  const report = () => {
    if (!channel) return;
    let due = 0;
    for (const moment of pending.values()) due = Math.max(due, moment);
    apply(nativeSetAttribute, channel, ['pending', pending.size + ' ' + due]);
  };

  // Timers that are too long to be waited for after an act, from the start of the document on.
  const later = new Map();
  let latest = 0;
  const reportLater = () => {
    latest = 0;
    for (const moment of later.values()) latest = Math.max(latest, moment);
    if (channel) apply(nativeSetAttribute, channel, ['later', '' + latest]);
  };
  // The answers to requests that such a timer makes decide what the page shows.
  const READING = 60;
  const nativeTimeout = window.setTimeout;
  const nativeUnlisten = EventTarget.prototype.removeEventListener;
  const endLater = () => {
    if (later.get('after') > now() + 1) return;
    later.delete('after');
    apply(nativeUnlisten, window, ['beforeunload', onLeave]);
    reportLater();
  };
  let late = 0;
  let awaited = 0;
  const countAwaited = (by) => {
    awaited += by;
    if (channel) apply(nativeSetAttribute, channel, ['awaited', '' + awaited]);
  };
  // A timer may lead to another page, which comes a little later: until then, the page at hand is not at rest.
  const LEAVING = 4000;
  const AFTER = 300;
  const onLeave = () => {
    later.set('leaving', now() + LEAVING);
    reportLater();
  };
  const noteLater = (target, self, args, delay) => {
    const callback = args[0];
    let id = 0;
    const wrapped = function (...rest) {
      later.delete(id);
      const outer = running;
      running = callback;
      late += 1;
      apply(nativeListen, window, ['beforeunload', onLeave, { once: true }]);
      try {
        return apply(callback, this, rest);
      } finally {
        running = outer;
        // What follows in promises still belongs to it.
        apply(nativeTimeout, window, [() => { late -= 1; }, 0]);
        later.set('after', now() + AFTER);
        apply(nativeTimeout, window, [endLater, AFTER]);
        reportLater();
      }
    };
    id = apply(target, self, [wrapped, ...args.slice(1)]);
    later.set(id, now() + delay);
    reportLater();
    return id;
  };

  // A callback that requests itself again is a poll or a loop, not a consequence of the act.
  const wrapAsker = (name, delayOf) => {
    const native = window[name];
    window[name] = new Proxy(native, {
      apply(target, self, args) {
        const callback = args[0];
        if (typeof callback !== 'function') return apply(target, self, args);
        const delay = delayOf(args);
        if (delay > LONGEST_TIMER && delay <= LATEST_TIMER && callback !== running) return noteLater(target, self, args, delay);
        if (!watched() && !(name === 'setTimeout' && delay <= EARLY_TIMER && document.readyState !== 'complete')) return apply(target, self, args);
        if (delay > LONGEST_TIMER || depth >= DEEPEST_CHAIN || callback === running) return apply(target, self, args);
        const level = depth + 1;
        let id = 0;
        const wrapped = function (...rest) {
          pending.delete(name + id);
          const outerDepth = depth;
          const outerRunning = running;
          depth = level;
          running = callback;
          try {
            return apply(callback, this, rest);
          } finally {
            depth = outerDepth;
            running = outerRunning;
            report();
          }
        };
        id = apply(target, self, [wrapped, ...args.slice(1)]);
        pending.set(name + id, now() + delay);
        report();
        return id;
      },
    });
  };
  const wrapCanceller = (name, asker) => {
    window[name] = new Proxy(window[name], {
      apply(target, self, args) {
        if (pending.delete(asker + args[0])) report();
        if (asker === 'setTimeout' && later.delete(args[0])) reportLater();
        return apply(target, self, args);
      },
    });
  };
  wrapAsker('setTimeout', (args) => Math.max(0, +args[1] || 0));
  wrapCanceller('clearTimeout', 'setTimeout');
  wrapCanceller('clearInterval', 'setTimeout');
  wrapAsker('requestAnimationFrame', () => 17);
  wrapCanceller('cancelAnimationFrame', 'requestAnimationFrame');

  // What an interval changes in each of its runs, it changes by itself.
  let intervals = 0;
  window.setInterval = new Proxy(window.setInterval, {
    apply(target, self, args) {
      const callback = args[0];
      if (typeof callback !== 'function') return apply(target, self, args);
      const number = ++intervals;
      let runs = 0;
      const wrapped = function (...rest) {
        runs += 1;
        try {
          return apply(callback, this, rest);
        } finally {
          if (channel) apply(nativeSetAttribute, channel, ['tick', number + ' ' + runs + ' ' + now()]);
        }
      };
      return apply(target, self, [wrapped, ...args.slice(1)]);
    },
  });

  // Work scheduled by a message runs in a later turn, and nothing else announces it.
  const wrapPoster = (owner, name) => {
    if (!owner || typeof owner[name] !== 'function') return;
    owner[name] = new Proxy(owner[name], {
      apply(target, self, args) {
        if (watched()) apply(nativeSetAttribute, channel, ['posted', '']);
        return apply(target, self, args);
      },
    });
  };
  wrapPoster(MessagePort.prototype, 'postMessage');
  wrapPoster(window, 'postMessage');
  if (window.Worker) wrapPoster(Worker.prototype, 'postMessage');
  if (window.BroadcastChannel) wrapPoster(BroadcastChannel.prototype, 'postMessage');
  if (window.Scheduler) wrapPoster(Scheduler.prototype, 'postTask');

  // Sockets, event streams and workers. A page that asks over one of them expects to hear something, and so does one
  // that sent a request while such a stream is open. A stream that never answered is not waited for again.
  const FIRST_ANSWER = 2200;
  const AFTER_OPENING = 700;
  /** For a page that says more than its greeting while it comes. */
  const FIRST_ASKED = 1500;
  const SHORT = 20;
  const FROM_A_MUTE = 300;
  const say = (name, moment) => { if (channel) apply(nativeSetAttribute, channel, [name, '' + moment]); };
  let expected = 0;
  /** What was asked last, as long as nothing was heard since: how often it was, and how often something came. */
  let asked = null;
  const expect = (most) => {
    expected = now() + most;
    say('expected', expected);
    if (channel) apply(nativeRemoveAttribute, channel, ['news']);
  };
  const ways = new Map();
  /** What is said, without the numbers in it. */
  const shapeOf = (data) => (typeof data === 'string' ? data.slice(0, 60).replace(/\d+/g, '0') : '');
  const ask = (shape) => {
    lastAsked = now();
    if (shape === '0') return;
    if (!watched()) {
      if (shape.length > SHORT) expect(FIRST_ASKED);
      return;
    }
    const within = apply(nativeGetAttribute, channel, ['act']);
    const way = ways.get(shape) || { asks: 0, answers: 0, act: null };
    if (ways.size < 500) ways.set(shape, way);
    if (way.act !== within) way.asks += 1;
    way.act = within;
    asked = way;
    const isMute = way.asks > 2 && !way.answers;
    if (!isMute || expected < now()) expect(isMute ? FROM_A_MUTE : FIRST_ANSWER);
  };
  const onNews = (name = 'news') => {
    say(name, now());
    if (!asked) return;
    asked.answers += 1;
    asked = null;
  };
  // What comes again and again although nobody asked, by its words without the numbers, is an answer to nothing.
  const UNASKED = 3000;
  const unasked = new Set();
  let lastAsked = -UNASKED;
  const onMessage = ({ data }) => {
    if (typeof data !== 'string') return onNews();
    const shape = shapeOf(data);
    const isKnown = unasked.has(shape);
    if (now() - lastAsked > UNASKED && unasked.size < 500) unasked.add(shape);
    onNews(isKnown ? 'chatter' : 'news');
  };
  let streams = 0;
  const listenTo = (stream) => {
    streams += 1;
    apply(nativeListen, stream, ['message', onMessage]);
    apply(nativeListen, stream, ['close', () => { streams -= 1; onNews(); }]);
    apply(nativeListen, stream, ['error', () => onNews()]);
  };
  const wrapStream = (name, opening) => {
    const native = window[name];
    if (typeof native !== 'function') return;
    window[name] = new Proxy(native, {
      construct(target, args, made) {
        const stream = Reflect.construct(target, args, made);
        listenTo(stream);
        if (opening) expect(opening);
        return stream;
      },
    });
    native.prototype.constructor = window[name];
  };
  const wrapAsking = (owner, name) => {
    owner[name] = new Proxy(owner[name], {
      apply(target, self, args) {
        ask(shapeOf(args[0]));
        return apply(target, self, args);
      },
    });
  };

  // The network requests of page code since the act began. The browser reports them too, but not always
  // in time.
  let requests = 0;
  let act = null;
  let openRequests = 0;
  const requested = (changes) => {
    if (late) {
      const counted = requestedByAct(changes);
      let isOpen = true;
      countAwaited(1);
      return () => {
        counted();
        if (!isOpen) return;
        isOpen = false;
        // The page still has to read the answer.
        apply(nativeTimeout, window, [() => countAwaited(-1), READING]);
      };
    }
    return requestedByAct(changes);
  };
  const requestedByAct = (changes) => {
    openRequests += 1;
    const began = watched() ? apply(nativeGetAttribute, channel, ['act']) || '' : null;
    const count = (by) => {
      requests += by;
      apply(nativeSetAttribute, channel, ['requests', '' + requests]);
    };
    if (began !== null) {
      if (act !== began) { act = began; requests = 0; }
      count(1);
    }
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      openRequests -= 1;
      if (began !== null && act === began) count(-1);
      // The answer to a request of an earlier act, such as a long poll, is news.
      else onNews();
      if (!changes || !(streams || openRequests)) return;
      ask('request');
      // It may be the whole answer.
      say('news', now());
    };
  };
  const nativeThen = Promise.prototype.then;
  // Whether a request asks for more than to be answered.
  const changesMuch = (method) => typeof method === 'string' && !/^(get|head|options)$/i.test(method);
  const wrapPromised = (owner, name) => {
    if (!owner || typeof owner[name] !== 'function') return;
    owner[name] = new Proxy(owner[name], {
      apply(target, self, args) {
        const promise = apply(target, self, args);
        const [what, how] = args;
        const done = requested(name === 'fetch' && changesMuch((how && how.method) || (what && what.method)));
        apply(nativeThen, promise, [done, done]);
        return promise;
      },
    });
  };
  wrapPromised(window, 'fetch');
  // The body of a response comes later.
  for (const name of ['json', 'text', 'blob', 'arrayBuffer', 'bytes', 'formData']) wrapPromised(Response.prototype, name);
  const nativeListen = EventTarget.prototype.addEventListener;
  wrapStream('WebSocket', AFTER_OPENING);
  wrapStream('EventSource', AFTER_OPENING);
  wrapStream('Worker', 0);
  if (window.WebSocket) wrapAsking(WebSocket.prototype, 'send');
  if (window.Worker) wrapAsking(Worker.prototype, 'postMessage');
  const methods = new WeakMap();
  XMLHttpRequest.prototype.open = new Proxy(XMLHttpRequest.prototype.open, {
    apply(target, self, args) {
      const opened = apply(target, self, args);
      methods.set(self, args[0]);
      return opened;
    },
  });
  XMLHttpRequest.prototype.send = new Proxy(XMLHttpRequest.prototype.send, {
    apply(target, self, args) {
      const done = requested(changesMuch(methods.get(self)));
      apply(nativeListen, self, ['loadend', done, { once: true }]);
      try {
        return apply(target, self, args);
      } catch (error) {
        done();
        throw error;
      }
    },
  });

  // Some engines run our script while one of these blocks the page's scripts.
  for (const name of ['alert', 'confirm', 'prompt']) {
    window[name] = new Proxy(window[name], {
      apply(target, self, args) {
        if (channel) apply(nativeSetAttribute, channel, ['dialog', '']);
        try {
          return apply(target, self, args);
        } finally {
          if (channel) apply(nativeRemoveAttribute, channel, ['dialog']);
        }
      },
    });
  }

  const CLICKS = new Set(['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'dblclick', 'touchstart']);
  const mark = (target) => {
    // An element inside a shadow tree would be announced as its host, which is wrong; such elements are
    // found by their cursor or their role.
    if (!channel || !(target instanceof Element) || apply(nativeRoot, target, []) instanceof ShadowRoot) return;
    apply(nativeDispatch, channel, [new MouseEventCtor('mark', { relatedTarget: target })]);
  };
  EventTarget.prototype.addEventListener = new Proxy(EventTarget.prototype.addEventListener, {
    apply(target, self, args) {
      if (CLICKS.has(args[0]) && args[1]) mark(self);
      else if (KEYS.has(args[0]) && args[1]) note('keys');
      else if (args[0] === 'beforeinput' && args[1]) note('beforeinput');
      return apply(target, self, args);
    },
  });
  const noteHandler = (name, owner) => (KEYS.has(name.slice(2)) ? note('keys') : name === 'onbeforeinput' ? note('beforeinput') : mark(owner));
  for (const name of ['onclick', 'onmousedown', 'onpointerdown', 'onkeyup', 'onkeydown', 'onkeypress', 'onbeforeinput']) {
    const property = Object.getOwnPropertyDescriptor(HTMLElement.prototype, name);
    if (!property || !property.set) continue;
    Object.defineProperty(HTMLElement.prototype, name, {
      ...property,
      set: new Proxy(property.set, {
        apply(target, self, args) {
          if (typeof args[0] === 'function') noteHandler(name, self);
          return apply(target, self, args);
        },
      }),
    });
  }
})();
