// Runs in every document before any script of the page: the link to the page's own world, the listeners that must
// come before the page's own, the mutation counter, and the wait until a new page is quiet.
//
// Everything else is in page/ and sleeps here until a call needs it. An engine takes longer to parse that script than
// to load a small page, and most documents (frames, redirects, pages in passing) never get a call.
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

  /** How many timers and frames the page awaits because of the act, and when the last one is due. */
  const awaited = () => {
    const text = channel.getAttribute('pending');
    if (!text) return { count: 0, due: 0 };
    const [count, due] = text.split(' ').map(Number);
    return { count, due };
  };

  /** Until when the page expects to hear something over a socket because of the act, or because it has just come. */
  const expected = () => Number(channel.getAttribute('expected') || 0);
  /** A page takes in an answer in pieces, at most this far apart. */
  const SAME_ANSWER = 200;
  /** How long the page may still have to wait for the answer; 0 when it shows it. */
  const unheard = (args, started) => {
    const left = Math.min(expected(), started + args.patience) - now();
    if (!(left > 0)) return 0;
    const news = Number(channel.getAttribute('news') || 0);
    return news && lastMoved >= news - 1 && now() - lastMoved > SAME_ANSWER ? 0 : left;
  };

  // ---- mutations ---------------------------------------------------------------------------------

  let mutations = 0;
  let stylings = 0;
  let lastStyling = -1e9;
  const styled = new WeakMap();
  /** When each node changed what it says, and whether all of it since the last act is what it did before. */
  const moments = new WeakMap();
  const MOST_MOMENTS = 12;
  /** Changes as close together as these are one. */
  const SAME_MOMENT = 100;
  /** When each act began, and when its effect was known. The first one is the arrival of the document. */
  const spans = [{ begun: 0, over: Infinity }];
  const MOST_SPANS = 40;
  const isActing = () => spans[spans.length - 1].over === Infinity;
  /** What comes this soon after an act may still be of its doing. */
  const AFTERMATH = 500;
  const spanAt = (time) => spans.findLast((span) => span.begun <= time);
  /** The act after which a change came by itself, long after its effect was known; none if it may belong to the act. */
  const quietOf = (time) => {
    const span = spanAt(time);
    return span && time > span.over + AFTERMATH ? span : null;
  };
  /** How far most of the numbers lie apart: on a busy machine, some moments are late. */
  const spread = (numbers) => {
    const sorted = [...numbers].sort((one, other) => one - other);
    const fifth = Math.floor((sorted.length - 1) / 5);
    return sorted[sorted.length - 1 - fifth] - sorted[fifth];
  };
  const gapsOf = (times) => times.slice(1).map((time, at) => time - times[at]);
  /** Two changes in the same quiet time: nobody can have caused the second one. */
  const changedAlone = (times) => times.some((time, at) => quietOf(time) && times.slice(at).some((later) => later - time > 300 && quietOf(later) === quietOf(time)));
  /** The period of changes that keep a beat of their own, and not that of the acts; 0 if they do not. */
  const beatOf = (times) => {
    if (times.length < 4) return 0;
    const gaps = gapsOf(times);
    const period = [...gaps].sort((one, other) => one - other)[gaps.length >> 1];
    if (spread(gaps) > Math.max(0.25 * period, LATE)) return 0;
    if (changedAlone(times)) return period;
    const delays = times.map((time) => time - (spanAt(time) || spans[0]).begun);
    return spread(delays) > Math.max(2 * spread(gaps), 0.25 * period) ? period : 0;
  };
  /** A timer may be this late. */
  const LATE = 100;
  /** What a node that changes by itself did before an act, as far as its changes after it can be compared with that. */
  const habitOf = ({ times, alone }) => {
    const beat = beatOf(times);
    // Few changes of a feed may come at the same distance by chance.
    const isLoose = !beat || (alone && times.length < 6);
    return { ownWay: alone || !!beat || changedAlone(times), beat: isLoose ? 0 : beat, last: times.at(-1), patience: patienceOf(times) };
  };
  /** Whether a change is what the node would have done without the act. */
  const isHabit = ({ ownWay, beat, last, patience }, previous, at) => {
    const isOnBeat = (from) => Math.abs((at - from) / beat - Math.round((at - from) / beat)) * beat < Math.max(0.3 * beat, LATE);
    return ownWay && at - previous < patience && (!beat || isOnBeat(last) || isOnBeat(previous));
  };
  /** What changed alone may be this late before it counts as stopped. */
  const patienceOf = (times) => 3 * Math.max(0, ...gapsOf(times)) + 1000;
  /** Whether a node would have changed since `since` without an act: it keeps its beat, or goes on as it did when nobody acted. */
  const goesOn = ({ act, goes, interval, isForeign }, since) => act === since && (interval ? !isForeign : goes);
  /** Whether all that changed inside an element since then changed by itself: a clock, a feed. */
  const changesItself = (element, since) => {
    const nodes = document.createTreeWalker(element, 5);
    let found = false;
    for (let count = 0, node = element; node; node = nodes.nextNode(), count++) {
      if (count === MOST_NODES) return false;
      const known = moments.get(node);
      if (!known || !(known.times.at(-1) >= since)) continue;
      if (!goesOn(known, since)) return false;
      found = true;
    }
    return found;
  };
  /** Whether an element is new since then because something around it replaces its content by itself. */
  const renewsItself = (element, since) => {
    for (let up = element.parentElement, count = 0; up && count < 5; up = up.parentElement, count++) {
      const known = moments.get(up);
      if (known && known.times.at(-1) >= since) return goesOn(known, since);
    }
    return false;
  };
  const MOST_NODES = 40;
  /** What shows something without a text. */
  const PICTURES = 'img,svg,canvas,video,input,select,textarea,iframe';
  const isMute = (node) => (node.nodeType === 1 ? !/\S/.test(node.textContent) && !node.matches(PICTURES) && !node.querySelector(PICTURES) : !/\S/.test(node.data || ''));
  /** Classes say that a page is busy as often as that it has done something, and so do the waves that a press draws. */
  const shows = ({ type, attributeName, addedNodes, removedNodes }) =>
    type === 'childList' ? ![...addedNodes, ...removedNodes].every(isMute) : type !== 'attributes' || !/^(class|style)$/.test(attributeName);
  /** Attributes that say something. */
  const SPEAKS = /^(aria-|value$|title$|alt$|placeholder$|label$)/;
  const textIn = (nodes) => (nodes.length > MOST_NODES ? null : Array.prototype.map.call(nodes, (node) => (node.nodeType === 1 || node.nodeType === 3 ? node.textContent : '')).join(''));
  /** The nodes that say something else after these records. What is drawn again with the same text is no change. */
  const saysElse = (records) => {
    const texts = new Map();
    for (const { type, target, attributeName, oldValue, removedNodes, addedNodes } of records) {
      if (type === 'attributes' ? !SPEAKS.test(attributeName) : texts.get(target) === null) continue;
      if (type === 'attributes') texts.set(target, null);
      else if (type === 'characterData') texts.set(target, texts.get(target) || { gone: oldValue, came: target.data });
      else {
        const [gone, came] = [textIn(removedNodes), textIn(addedNodes)];
        const text = texts.get(target) || { gone: '', came: '' };
        texts.set(target, gone === null || came === null ? null : { gone: text.gone + gone, came: text.came + came });
      }
    }
    return [...texts].filter(([, text]) => !text || text.gone !== text.came).map(([node]) => node);
  };
  /** The run of an interval that has just ended; null if something else runs. */
  const tickNow = () => {
    const [interval, run, at] = (channel.getAttribute('tick') || '').split(' ').map(Number);
    return interval && now() - at < SAME_TURN ? { interval, run } : null;
  };
  const noteMoments = (records) => {
    const at = now();
    const tick = tickNow();
    const { begun } = spans[spans.length - 1];
    for (const node of saysElse(records)) {
      const known = moments.get(node);
      if (!known) {
        moments.set(node, { times: [at], alone: false, act: begun, habit: null, goes: false, tick, interval: 0, isForeign: !tick });
        continue;
      }
      // Two runs of an interval, one after the other.
      const again = tick && known.tick && known.tick.interval === tick.interval;
      if (again && tick.run === known.tick.run + 1) known.interval = tick.interval;
      known.tick = tick;
      const { times } = known;
      const previous = times.at(-1);
      if (known.act !== begun) {
        const habit = habitOf(known);
        Object.assign(known, { act: begun, habit, goes: habit.ownWay, isForeign: false });
      }
      if (!tick || (known.interval && known.interval !== tick.interval)) known.isForeign = true;
      if (at - previous <= SAME_MOMENT) continue;
      known.goes = known.goes && isHabit(known.habit, previous, at);
      known.alone = (known.alone || changedAlone(times)) && at - previous < patienceOf(times);
      if (times.push(at) > MOST_MOMENTS) times.shift();
    }
  };
  /** What a page does when it hears something follows within this time. */
  const SAME_TURN = 5;
  /** When anything else changed last. */
  let lastMoved = 0;
  const noteMutations = (records) => {
    if (!records.length) return;
    mutations += records.length;
    noteMoments(records);
    const { begun } = spans[spans.length - 1];
    const isFed = now() - Number(channel.getAttribute('chatter') || -1e9) < SAME_TURN;
    for (const record of records) {
      if (!isFed && shows(record) && !(moments.has(record.target) && goesOn(moments.get(record.target), begun))) lastMoved = now();
      if (record.attributeName === 'style' || record.attributeName === 'transform') {
        stylings++;
        lastStyling = now();
        styled.set(record.target, lastStyling);
      }
      // A dialog or a disclosure fires its event one turn after it closed or opened.
      if (record.attributeName === 'open') channel.setAttribute('posted', '');
    }
    if (hears()) ears.onMutated();
  };
  /** `isNew`: an act begins. Otherwise its effect is asked for once more: what came since the last answer belongs to it too. */
  const actOn = (isNew) => {
    mutationCount();
    if (isActing()) actOver();
    if (!isNew) spans[spans.length - 1].over = Infinity;
    else if (spans.push({ begun: now(), over: Infinity }) > MOST_SPANS) spans.shift();
    return spans[spans.length - 1].begun;
  };
  const actOver = () => {
    mutationCount();
    spans[spans.length - 1].over = now();
  };
  const observer = new MutationObserver(noteMutations);
  const observed = new WeakSet();
  const observe = (root) => {
    if (observed.has(root)) return;
    observed.add(root);
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true, characterDataOldValue: true });
  };
  const mutationCount = () => {
    observe(document);
    noteMutations(observer.takeRecords());
    return mutations;
  };
  // Nodes that the parser inserts are not changes, and there are many. But a click must know about elements that
  // scripts move meanwhile.
  observer.observe(document, { subtree: true, attributes: true });
  document.addEventListener('DOMContentLoaded', mutationCount, { once: true });

  // ---- listeners ---------------------------------------------------------------------------------

  const POINTER = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu', 'touchstart', 'touchend'];
  const KEYS = ['keydown', 'keypress', 'keyup', 'beforeinput', 'input'];
  const GUARDED = new Set([...POINTER, ...KEYS]);
  /** The events that a fault can withhold from an element. Our listener runs after the guard, which gets them all. */
  const HUSHED = [...GUARDED, 'change', 'submit', 'reset', 'dragstart', 'drop', 'cut', 'paste'];
  /** The event handlers of the page script. Before it is awake there was no act that events could belong to. */
  let ears = null;
  /** A window keeps these listeners when it gets another document: acts in the first one do not concern the second. */
  const hears = () => ears && isHome();
  const ear = (name) => (event) => { if (hears()) ears[name](event); };
  const onInput = ear('onInput');
  const onClicked = ear('onClicked');
  const onTyped = ear('onTyped');
  const onHushed = ear('onHushed');
  // One listener for both, because each one costs time in every document.
  const onGuarded = (event) => { if (hears() && !ears.onGuarded(event)) ears.onHushed(event); };
  // The browser submits a form one turn after the request.
  const onSubmit = (event) => {
    channel.setAttribute('posted', '');
    // An event made by a script submits nothing.
    if (event.isTrusted) early.sent = { event, form: event.composedPath()[0], act: Number(channel.getAttribute('act')) };
  };

  let heard = false;
  const onProbe = () => { heard = true; };
  /** `document.open` removes all listeners, and some pages call it. */
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

  // One turn of the event loop. After input a browser paints before it continues with ordinary tasks, so an
  // ordinary turn costs a frame. Take one only if the page itself has ordinary tasks pending.
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
  /** The driver's way to wait for a turn; null if the standard ways are fast in this engine. */
  const ownTurn = typeof globalThis.nextTurn === 'function' ? globalThis.nextTurn : null;
  const quickHop = ownTurn || (globalThis.scheduler && scheduler.postTask ? () => scheduler.postTask(() => {}, { priority: 'user-blocking' }) : slowHop);
  const hop = () => (channel.hasAttribute('posted') ? slowHop() : quickHop());
  /** Waits until all listeners have run for an event, and the browser has run its default action. */
  const afterEvent = ownTurn || slowHop;

  /** Some engines keep running our script while a dialog blocks the page's scripts: the page cannot settle then. */
  const dialogClosed = async () => {
    while (channel.hasAttribute('dialog')) await sleep(10);
  };
  // Waits until the page has finished its work for the act. Returns true if it has not. `answers`, if an act is
  // being watched, says whether the page has reacted to it.
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
    if (answers && !args.after_request && awaited().count === 0 && !channel.hasAttribute('posted') && expected() < now()) {
      // The page has reacted and awaits nothing more.
      if (answers(seen)) return false;
      // The page has not reacted at all. Wait two frames for consequences that we cannot observe.
      await frameTick();
      await frameTick();
    }
    // A network response reaches the page's code through other queues than ours.
    if (args.after_request) { await slowHop(); await frameTick(); }
    for (;;) {
      await hop();
      const count = mutationCount();
      const waits = awaited();
      if (count !== seen) { seen = count; calm = 0; } else { calm++; }
      const wait = unheard(args, started);
      if (waits.count === 0 && calm >= 2 && !wait) return false;
      if (now() - started > args.cap && !wait) return true;
      if (wait && waits.count === 0) { await sleep(Math.min(wait, 15)); continue; }
      if (waits.count > 0) {
        const left = waits.due - now();
        if (left > 1) await sleep(Math.min(left, 25));
        else await frameTick();
      }
    }
  };

  // ---- answers -------------------------------------------------------------------------------------

  // The answer is text: every engine passes text quickly, and none is quick with an object of thousands of parts.
  const written = (answer) =>
    // A page may contain half of a surrogate pair, which is not valid text elsewhere.
    JSON.stringify(answer).replace(/\\\\|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g, (found) => (found === '\\\\' ? found : '\ufffd'));

  // The observations of the previous document are gone, so the driver installs the script again.
  const stayHome = () => {
    if (isHome()) return;
    // Another instance may have been installed since.
    if (globalThis.__assay && globalThis.__assay.home === home) delete globalThis.__assay;
    throw new ReferenceError('__assay is not defined');
  };
  /** If the document is replaced during a call, the result belongs to neither document. */
  const stayedHome = () => {
    if (!isHome()) throw new ReferenceError('__assay has left its document');
  };

  // ---- whether an application is there ---------------------------------------------------------------

  const SIGNS = ['aria-busy=true', 'role=progressbar', 'class*=spin i', 'class*=skeleton i', 'class*=loader i', 'class*=loading i', 'data-testid*=skeleton i', 'data-testid*=spinner i', 'alt*="ing" i', 'aria-label*="ing" i'].map((part) => '[' + part + ']').join() + ',progress:not([value])';
  const SIGN = /(^|[\s_-]|[a-z](?=[A-Z]))(spinner|spin(?![-_])|skeleton|loader|preloader|loading)(?![a-z])/i;
  const LOADING = /^\W*((?!\w*thing\b|morning\b|evening\b|during\b)[a-z]{2,}ing\b|please wait\b)[^.!?\u2026]{0,40}(\.\.\.|\u2026)\W*$|^\W*(loading|please wait|(one|just a) moment(,? please)?)\W*$/i;
  /** A short text that goes on: "Laden …". Alone on a page it says that more is coming, in any language. */
  const GOES_ON = /^.{1,40}(\.\.\.|\u2026)$/;
  /** Whether an element is drawn where a person sees it. */
  const isDrawn = (element) => {
    if (element.checkVisibility && !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  };
  const isSign = (element) => {
    if (element.getAttribute('aria-busy') === 'true' || element.localName === 'progress') return true;
    if (element.getAttribute('role') === 'progressbar') return !element.hasAttribute('aria-valuenow');
    const label = element.getAttribute('aria-label') || element.getAttribute('alt') || '';
    if ((LOADING.test(label) || /^loading\b/i.test(label)) && !element.matches('a,button,input')) return true;
    const words = (element.getAttribute('class') || '') + ' ' + (element.dataset ? element.dataset.testid || '' : '');
    return SIGN.test(words) && !/lazy/i.test(words) && element !== document.body && element !== document.documentElement;
  };
  /** What shows that something is loading: spinners, skeletons, busy regions. */
  const signs = () => Array.prototype.filter.call(document.querySelectorAll(SIGNS), (element) => isSign(element) && isDrawn(element));
  const FORM = 'input:not([type=hidden]),select,textarea,button,[role=button],[role=textbox],[contenteditable],iframe,frame,object,embed,video,table';
  const MEDIA = 'img,svg,canvas';
  const UNREAD = new Set(['script', 'style', 'noscript', 'template', 'title']);
  const MOST_TEXTS = 400;
  /** Whether the document leads to another within moments. */
  const leadsOn = () => {
    const meta = document.querySelector('meta[http-equiv=refresh i]');
    return !!meta && parseFloat(meta.content) <= 3 && /url\s*=/i.test(meta.content);
  };
  /** What a page shows of being on its way: whether it shows nothing else, and a word or sign of it. */
  const underway = () => {
    const { body } = document;
    if (!body || body.localName !== 'body') return null;
    if (leadsOn()) return { isBare: true, says: 'the page leads to another', isSilent: false };
    // What no script makes has come with the document. A frame that nobody sees shows nothing.
    if (!document.scripts.length || innerWidth * innerHeight < 10000) return null;
    let isBare = true;
    let word = '';
    const texts = document.createTreeWalker(body, 4);
    for (let count = 0, node = texts.nextNode(); node && count < MOST_TEXTS; node = texts.nextNode()) {
      const text = node.data.trim();
      const holder = node.parentElement;
      if (!text || !holder || UNREAD.has(holder.localName)) continue;
      count++;
      if (text.length < 60 && LOADING.test(text)) {
        if (!word && isDrawn(holder)) word = text;
      } else if (isBare && !GOES_ON.test(text) && !holder.closest('a[href^="#"]') && mayShow(holder) && isDrawn(holder)) {
        isBare = false;
      } else if (isBare && !word && GOES_ON.test(text) && isDrawn(holder)) {
        word = text;
      }
    }
    if (isBare) isBare = !Array.prototype.some.call(body.querySelectorAll(FORM), (element) => element.localName !== 'a' && isDrawn(element));
    if (isBare) {
      const isLarge = (element) => isDrawn(element) && element.clientWidth * element.clientHeight > 40000;
      isBare = !Array.prototype.some.call(body.querySelectorAll(MEDIA), isLarge);
    }
    if (!isBare && GOES_ON.test(word) && !LOADING.test(word)) word = '';
    const sign = word ? null : signs()[0];
    if (!isBare && !word && !sign) return null;
    return { isBare, says: word ? 'the page shows "' + word + '"' : sign ? 'the page shows that it is loading' : 'the page shows nothing yet', isSilent: !word && !sign };
  };
  /** A page without content may take this long to bring it; one with content, to take down its last loading sign. */
  const BARE = 5000;
  const FURNISHED = 2500;
  /** A page that shows nothing, and where nothing happens, is meant to be empty. */
  const NOTHING_HAPPENS = 1000;
  const CALM = 5;
  const GROWTH = 2500;
  let furnishing = 0;
  /** Waits until the page shows more than that it is loading. Returns what it still shows of it, or ''. */
  const furnished = async (args, before) => {
    if (!args.again) furnishing = now();
    let seen = underway();
    if (!seen && elements.length > before) await grown(args);
    if (!seen) return '';
    let stir = now();
    let done = -1;
    while (seen) {
      const waited = now() - furnishing;
      const happened = mutationCount() + performance.getEntriesByType('resource').length;
      if (happened !== done || expected() > now()) { done = happened; stir = now(); }
      if (waited > Math.min(seen.isBare ? BARE : FURNISHED, args.most)) return seen.says;
      if (seen.isBare && seen.isSilent && now() - stir > NOTHING_HAPPENS) return '';
      await sleep(25);
      if (!isHome()) return '';
      const wasBare = seen.isBare;
      seen = underway();
      if (wasBare && seen && !seen.isBare) furnishing = now();
    }
    await grown(args);
    await quiet(args, null);
    return '';
  };
  const elements = document.getElementsByTagName('*');
  /** Waits while elements are added, frame by frame. */
  const grown = async (args) => {
    const came = now();
    let count = elements.length;
    // By turns, because a page that is busy takes none.
    for (let calm = 0; calm < CALM && now() - came < Math.min(GROWTH, args.most); await sleep(20)) {
      calm = elements.length > count ? 0 : calm + 1;
      count = elements.length;
    }
  };

  const LOUD = '[role=alert],[role=status],[role=dialog],[role=alertdialog],dialog[open]';
  /** A cheap check whether an element may be visible. It never rejects a visible element. */
  const mayShow = (element) => !element.checkVisibility || element.checkVisibility() || getComputedStyle(element).display === 'contents';
  let next = 1;
  /** Whether an answer left out the heading of this document. */
  let owesHeading = false;
  /** The most important content of a new document, once it is loaded and quiet: messages, dialogs, and on request the heading. */
  const arrived = (args) => {
    stayHome();
    return arrive(args);
  };
  // Our listener runs first, so timers and requests of the other listeners are counted.
  window.addEventListener('load', () => channel.setAttribute('armed', ''), { capture: true, once: true });
  /** A document that is read and shows its content waits no longer for the last pictures. */
  const STRAGGLERS = 3000;
  /** Waits until all `load` listeners have run. Returns false if that takes longer than `most`. */
  const shown = (most) => new Promise((done) => {
    let late = setTimeout(() => done(false), most);
    const end = () => { clearTimeout(late); done(true); };
    const read = () => {
      const [{ domInteractive } = { domInteractive: 0 }] = performance.getEntriesByType('navigation');
      clearTimeout(late);
      late = setTimeout(() => done(false), Math.min(most, STRAGGLERS - (now() - (domInteractive || now()))));
    };
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', read, { once: true });
    else read();
    window.addEventListener('pageshow', end, { once: true });
    // A document that is not shown does not get this event.
    window.addEventListener('load', () => afterEvent().then(end), { once: true });
  });
  /** An `autofocus` field gets the focus only when the page is painted: until then a key would go elsewhere. */
  const autofocused = async () => {
    const { activeElement } = document;
    if (activeElement && activeElement !== document.body && activeElement !== document.documentElement) return;
    if (Array.prototype.some.call(document.querySelectorAll('[autofocus]'), mayShow)) await frameTick();
  };
  const arrive = async (args) => {
    const whole = document.readyState !== 'complete' && await shown(args.load);
    const loading = document.readyState !== 'complete';
    channel.setAttribute('armed', '');
    const before = elements.length;
    // The page has finished its work after loading, or we know what it still awaits.
    await quiet(args, whole ? () => true : early.answers);
    const lacks = await furnished(args, before);
    await autofocused();
    actOver();
    if (rest || args.headings || args.faults || Array.prototype.some.call(document.querySelectorAll(LOUD), mayShow)) return awake().firstSeen({ ...args, loading, lacks });
    owesHeading = true;
    next = Math.max(next, args.next);
    // Most callers that open a page ask for more, but they read this answer first.
    if (asleep) setTimeout(() => { if (isHome()) awake(); }, 0);
    return written({ asleep: !rest, status: 'ok', next, url: location.href, title: document.title, loading, lacks, changes: [] });
  };

  // ---- the sleeping part ---------------------------------------------------------------------------

  const early = {
    isHome, stayedHome, channel, marked, now, sleep, frameTick, styled, observe, mutationCount, KEYS, listen, afterEvent, quiet, written, stayHome, LOUD, signs, LOADING, underway, expected, changesItself, renewsItself, actOn, actOver,
    lastStyling: () => lastStyling,
    /** How often anything but a style changed: animations change styles all the time. */
    contentChanges: () => mutationCount() - stylings,
    hear: (given) => { ears = given; },
    /** The state of a document that answered in its sleep: its first free ref, and whether it owes the heading. */
    left: () => ({ next, owesHeading }),
    answers: null,
    /** The form that was last submitted, and the act during which it was. */
    sent: { event: null, form: null, act: 0 },
  };
  /** The page script; null if the driver delivers it later. */
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
