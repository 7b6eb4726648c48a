// What every document gets at once, before any script of the page: the link to the page's own world, the listeners
// that must come before the page's own, the count of what changes, and the wait until a new page is quiet.
//
// All else is in page/ and sleeps here until something is asked that needs it: an engine takes longer to read that
// script than to load a small page, and most documents (frames, redirects, pages that are only passed) are never asked.
(() => {
  'use strict';
  // The window of a frame or a popup keeps its scripts when its first, empty document is replaced.
  if (globalThis.__assay && globalThis.__assay.home === document) return;
  const home = document;
  const isHome = () => document === home;
  const now = () => performance.now();
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const frameTick = () => new Promise((done) => {
    const late = setTimeout(done, 50);
    requestAnimationFrame(() => { clearTimeout(late); done(); });
  });

  // ---- the link to the page's own world (pulse.js) ---------------------------------------------

  const channel = document.createElement('i');
  const marked = new WeakSet();
  channel.addEventListener('mark', (event) => {
    if (event.relatedTarget) marked.add(event.relatedTarget);
  });
  document.dispatchEvent(new MouseEvent('__ASSAY_KEY__', { relatedTarget: channel }));

  /** How many timers and frames the page awaits because of the act, and when the last is due. */
  const awaited = () => {
    const text = channel.getAttribute('pending');
    if (!text) return { count: 0, due: 0 };
    const [count, due] = text.split(' ').map(Number);
    return { count, due };
  };

  // ---- mutations ---------------------------------------------------------------------------------

  let mutations = 0;
  let lastStyling = -1e9;
  const styled = new WeakMap();
  const noteMutations = (records) => {
    if (!records.length) return;
    mutations += records.length;
    for (const record of records) {
      if (record.attributeName === 'style' || record.attributeName === 'transform') {
        lastStyling = now();
        styled.set(record.target, lastStyling);
      }
      // A dialog or a disclosure tells that it closed or opened in a later turn than the one in which it did.
      if (record.attributeName === 'open') channel.setAttribute('posted', '');
    }
  };
  const observer = new MutationObserver(noteMutations);
  const observed = new WeakSet();
  const observe = (root) => {
    if (observed.has(root)) return;
    observed.add(root);
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  };
  const mutationCount = () => {
    observe(document);
    noteMutations(observer.takeRecords());
    return mutations;
  };
  // What the parser puts in is no change of anything, and there is much of it. But what scripts move meanwhile must be
  // known when it is to be clicked.
  observer.observe(document, { subtree: true, attributes: true });
  document.addEventListener('DOMContentLoaded', mutationCount, { once: true });

  // ---- listeners ---------------------------------------------------------------------------------

  const POINTER = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu', 'touchstart', 'touchend'];
  const KEYS = ['keydown', 'keypress', 'keyup', 'beforeinput', 'input'];
  const GUARDED = new Set([...POINTER, ...KEYS]);
  /** What an element that is deaf on purpose does not hear. Listened for behind the guard, which hears all. */
  const HUSHED = [...GUARDED, 'change', 'submit', 'reset', 'dragstart', 'drop', 'cut', 'paste'];
  /** What the page script makes of the events. Before it is awake nothing was done that they could be about. */
  let ears = null;
  /** A window that goes on with another document keeps these listeners: what was done in the first is nothing to the second. */
  const hears = () => ears && isHome();
  const ear = (name) => (event) => { if (hears()) ears[name](event); };
  const onInput = ear('onInput');
  const onClicked = ear('onClicked');
  const onTyped = ear('onTyped');
  const onHushed = ear('onHushed');
  // One listener for both: each costs its time in every document.
  const onGuarded = (event) => { if (hears() && !ears.onGuarded(event)) ears.onHushed(event); };
  // A form is sent in a later turn than the one that asked for it.
  const onSubmit = (event) => {
    channel.setAttribute('posted', '');
    // One that a script made sends nothing.
    if (event.isTrusted) early.sent = { event, form: event.composedPath()[0], act: Number(channel.getAttribute('act')) };
  };

  let heard = false;
  const onProbe = () => { heard = true; };
  /** `document.open` takes all listeners away; what a page can do, it does. */
  const listen = () => {
    heard = false;
    window.dispatchEvent(new Event('__ASSAY_KEY__'));
    if (heard) return;
    window.addEventListener('__ASSAY_KEY__', onProbe, true);
    for (const type of ['input', 'change', 'toggle', 'scroll']) window.addEventListener(type, onInput, true);
    window.addEventListener('submit', onSubmit, true);
    for (const type of HUSHED) window.addEventListener(type, GUARDED.has(type) ? onGuarded : onHushed, { capture: true, passive: false });
    window.addEventListener('click', onClicked);
    window.addEventListener('input', onTyped);
  };
  listen();

  // ---- waiting until a page is quiet ---------------------------------------------------------------

  // One turn of the event loop. After input a browser paints before it goes on with ordinary work, so an
  // ordinary turn costs a frame: it is only taken when the page has ordinary work of its own under way.
  let hopper = null;
  const hopping = [];
  const slowHop = () => new Promise((done) => {
    if (!hopper) {
      hopper = new MessageChannel();
      hopper.port1.onmessage = () => hopping.shift()();
    }
    hopping.push(done);
    hopper.port2.postMessage(0);
  });
  /** How the driver says that it is done best; null where the engine's own ways are good. */
  const ownTurn = typeof globalThis.nextTurn === 'function' ? globalThis.nextTurn : null;
  const quickHop = ownTurn || (globalThis.scheduler && scheduler.postTask ? () => scheduler.postTask(() => {}, { priority: 'user-blocking' }) : slowHop);
  const hop = () => (channel.hasAttribute('posted') ? slowHop() : quickHop());
  /** Until an event has been heard by all, and the browser has done its own part. */
  const afterEvent = ownTurn || slowHop;

  /** Some engines go on running scripts while a dialog holds the page's own: then nothing is settled. */
  const dialogClosed = async () => {
    while (channel.hasAttribute('dialog')) await sleep(10);
  };
  // Waits until the page has nothing more to do because of the act. True when it still has. `answers`, where an act
  // is being watched, says whether the page has answered it.
  const quiet = async (args, answers) => {
    await dialogClosed();
    const busy = await stilled(args, answers);
    await dialogClosed();
    return busy;
  };
  const stilled = async (args, answers) => {
    const started = now();
    let calm = 0;
    let seen = mutationCount();
    if (answers && !args.after_request && awaited().count === 0 && !channel.hasAttribute('posted')) {
      // The page has answered and awaits nothing more: this is all.
      if (answers(seen)) return false;
      // It has not answered at all. What comes by a way that cannot be seen gets the time of two frames.
      await frameTick();
      await frameTick();
    }
    // An answer from the network reaches the page's code by way of other queues than ours.
    if (args.after_request) { await slowHop(); await frameTick(); }
    for (;;) {
      await hop();
      const count = mutationCount();
      const waits = awaited();
      if (count !== seen) { seen = count; calm = 0; } else { calm++; }
      if (waits.count === 0 && calm >= 2) return false;
      if (now() - started > args.cap) return true;
      if (waits.count > 0) {
        const left = waits.due - now();
        if (left > 1) await sleep(Math.min(left, 25));
        else await frameTick();
      }
    }
  };

  // ---- answers -------------------------------------------------------------------------------------

  // The answer is text: every engine hands text over quickly, and none an object of thousands of parts.
  const written = (answer) =>
    // Half of a character, as a page may hold one, is no text for anybody else.
    JSON.stringify(answer).replace(/\\\\|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g, (found) => (found === '\\\\' ? found : '\ufffd'));

  // All that was observed in another document is gone, so everything begins anew: the driver installs us again.
  const stayHome = () => {
    if (isHome()) return;
    // Others may have moved in since.
    if (globalThis.__assay && globalThis.__assay.home === home) delete globalThis.__assay;
    throw new ReferenceError('__assay is not defined');
  };
  /** What comes of a question while the document is replaced is about neither of the two. */
  const stayedHome = () => {
    if (!isHome()) throw new ReferenceError('__assay has left its document');
  };

  const LOUD = '[role=alert],[role=status],[role=dialog],[role=alertdialog],dialog[open]';
  /** Whether an element may be seen, as far as it can be told cheaply. Nothing that is seen is left out. */
  const mayShow = (element) => !element.checkVisibility || element.checkVisibility() || getComputedStyle(element).display === 'contents';
  let next = 1;
  /** Whether an answer was given that left out the heading of this document. */
  let owesHeading = false;
  /** What a new document says first, once it is loaded and quiet: messages, dialogs, and the heading if it is asked for. */
  const arrived = (args) => {
    stayHome();
    return arrive(args);
  };
  // First of all that hear of it, so that whatever the others ask for is counted.
  window.addEventListener('load', () => channel.setAttribute('armed', ''), { capture: true, once: true });
  /** Waits until all listeners have heard that the page is loaded. False when it takes longer than `most`. */
  const shown = (most) => new Promise((done) => {
    const late = setTimeout(() => done(false), most);
    const end = () => { clearTimeout(late); done(true); };
    window.addEventListener('pageshow', end, { once: true });
    // A document that is not shown has no such event.
    window.addEventListener('load', () => afterEvent().then(end), { once: true });
  });
  /** What the page wants to be typed in first has the focus only when the page is drawn: until then a key would go elsewhere. */
  const autofocused = async () => {
    const { activeElement } = document;
    if (activeElement && activeElement !== document.body && activeElement !== document.documentElement) return;
    if (Array.prototype.some.call(document.querySelectorAll('[autofocus]'), mayShow)) await frameTick();
  };
  const arrive = async (args) => {
    const whole = document.readyState !== 'complete' && await shown(args.load);
    const loading = document.readyState !== 'complete';
    channel.setAttribute('armed', '');
    // All that the page wanted to do once it was loaded is done, or it is known what it awaits.
    await quiet(args, whole ? () => true : early.answers);
    await autofocused();
    if (rest || args.headings || args.faults || Array.prototype.some.call(document.querySelectorAll(LOUD), mayShow)) return awake().firstSeen({ ...args, loading });
    owesHeading = true;
    next = Math.max(next, args.next);
    // Whoever opens a page mostly asks for more of it, but has to read this answer first.
    if (asleep) setTimeout(() => { if (isHome()) awake(); }, 0);
    return written({ asleep: !rest, status: 'ok', next, url: location.href, title: document.title, loading, changes: [] });
  };

  // ---- what sleeps ---------------------------------------------------------------------------------

  const early = {
    isHome, stayedHome, channel, marked, now, sleep, frameTick, styled, observe, mutationCount, KEYS, listen, afterEvent, quiet, written, stayHome, LOUD,
    lastStyling: () => lastStyling,
    hear: (given) => { ears = given; },
    /** Where a document that answered in its sleep goes on: its first free ref, and what it has not said. */
    left: () => ({ next, owesHeading }),
    answers: null,
    /** The form that was last asked to be sent, and during which act. */
    sent: { event: null, form: null, act: 0 },
  };
  /** What the page script is; null where the driver brings it. */
  const asleep = __ASSAY_PAGE__;
  let rest = null;
  const wake = (page) => {
    stayHome();
    if (rest) return;
    rest = { ...page(early), arrived, wake, home };
    globalThis.__assay = rest;
  };
  /** The functions of the page script. */
  const awake = () => {
    stayHome();
    if (!rest && !asleep) throw new ReferenceError('__assay is asleep');
    if (!rest) wake(asleep);
    return rest;
  };
  if (__ASSAY_SLEEPS__) globalThis.__assay = new Proxy({ arrived, wake, home }, { get: (own, name) => own[name] || awake()[name] });
  else awake();
})();
