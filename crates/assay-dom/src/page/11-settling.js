  // ---- settling and the effect ------------------------------------------------------------------------

  let watching = null;
  let acts = 0;
  let lastGuard = null;
  /** With `kept`, the report also includes the changes since an earlier act. */
  function startWatching(kept) {
    guard = null;
    lastGuard = null;
    acted = null;
    asked = null;
    channel.setAttribute('armed', '');
    channel.removeAttribute('pending');
    channel.removeAttribute('posted');
    channel.removeAttribute('requests');
    channel.removeAttribute('expected');
    channel.removeAttribute('news');
    const begun = early.actOn(!kept);
    channel.setAttribute('act', String(++acts));
    watching = { before: current(), signs: new Set(signs()), title: document.title, url: location.href, mutations: mutationCount(), inputs, begun, at: Date.now() };
    if (kept) watching = { ...watching, before: kept.before, signs: kept.signs, title: kept.title, url: kept.url, at: kept.at };
    early.answers = (seen) => seen !== watching.mutations || inputs !== watching.inputs;
  }
  function watch(args) {
    startWatching();
    return { status: 'ok', next };
  }
  /** Waits until the pending input has arrived or was blocked. Returns false if it did not come in time. */
  async function inputCame() {
    const held = guard;
    if (!held || !held.last || held.over || held.released || held.received.includes(held.last)) return true;
    const came = await new Promise((done) => {
      const late = setTimeout(() => done(held.blocked ? { last: false } : null), held.blocked ? PRESS_REST : 1000);
      held.arrived = (heardLast) => { clearTimeout(late); done({ last: heardLast === true }); };
    });
    // If the first listener reported the input, the page's listeners and the browser's default action still have
    // to run. If the last listener reported it, they have run, and a look at the page need not wait for painting.
    if (!came || !came.last) await afterEvent();
    return !!came;
  }
  async function settle(args) {
    // The driver sends this call together with `begin`, so it is already waiting when the input comes.
    if (args.after_begin && ((await beginning).status !== 'ready' || !guard || !guard.last)) return { status: 'skipped' };
    // The browser may still deliver late input. The guard stays up until then; otherwise the press would count
    // as lost and be sent twice.
    if (!(await inputCame()) && args.after_begin) return { status: 'no_input', next };
    if (watching) early.actOn(false);
    const busy = await quiet(args, early.answers);
    // Of a replaced document, only the received input is still known.
    if (!early.isHome()) return { status: 'ok', next, url: location.href, title: document.title, ...heardBy(lowered()) };
    // The content of a page that is being left does not matter.
    if (args.after_begin && isLeaving()) {
      // The page may come back from the browser's cache in this state, so take the guard down.
      return { status: 'ok', leaving: true, next, url: location.href, title: document.title, ...heardBy(lowered()) };
    }
    const { report, lacks } = await workedOff(args);
    return { ...report, busy, lacks, requests: Number(channel.getAttribute('requests') || 0) };
  }
  /** Waits while the page shows that it works on the act, where it did not before. */
  async function workedOff(args) {
    const until = now() + (args.patience || 0);
    for (;;) {
      const report = finish();
      const lacks = underWay(report);
      if (!lacks || now() > until) { early.actOver(); return { report, lacks }; }
      const seen = mutationCount();
      while (mutationCount() === seen && now() < until && early.isHome()) await sleep(20);
      if (!early.isHome()) return { report, lacks };
      await quiet({ ...args, patience: Math.max(0, until - now()) }, null);
    }
  }
  /** What shows since the act that the page works on it; '' if nothing does. */
  function underWay(report) {
    if (!watching || mutationCount() === watching.mutations) return '';
    const says = report.changes.find((change) => change[0] !== '-' && change[2] !== 'button' && LOADING.test(change[3]));
    if (says) return 'the page shows "' + says[3] + '"';
    if (report.moved && report.changes.length && report.changes.every((change) => change[0] === '-')) return 'the page shows nothing new yet';
    return signs().some((sign) => !watching.signs.has(sign)) ? 'the page shows that it is loading' : '';
  }
  /** Takes the guard down and returns its record, even if it was down already. */
  function lowered() {
    lastGuard = guard || lastGuard;
    guard = null;
    return lastGuard;
  }
  /** The received events, and the event that the guard blocked, if any. */
  const heardBy = (shut) => ({ guarded: !!shut && (early.isHome() || shut.received.length > 0), received: shut ? shut.received : [], deed: shut ? shut.deed : null, blocked: shut && shut.blocked ? { type: shut.blocked.type, ...describe(shut.blocked.element) } : null });
  const SENDERS = 'button,input[type=submit],input[type=image]';
  /** Whether the click submitted a form whose response replaces this page. */
  function isLeaving() {
    const { event, form, act } = early.sent;
    if (!event || act !== acts || event.defaultPrevented || isInFrame() || !acted || !acted.matches(SENDERS)) return false;
    const said = (name) => saidOf(form, event.submitter, name);
    const base = document.querySelector('base[target]');
    const address = addressOf(said('action') || location.href);
    return /^(|_self|_top|_parent)$/i.test(said('target') || (base ? base.target : '')) && said('method').toLowerCase() !== 'dialog' && !!address && /^https?:$/.test(address.protocol);
  }
  /** A clock or a feed goes on by itself: that another number shows is no effect of the act. */
  const isForeign = (entry, old) => unnumbered(entry.name) === unnumbered(old.name) && entry.name !== old.name && entry.states.join() === old.states.join() && entry.value === old.value &&
    (early.changesItself(entry.element, watching.begun) || tellsTime(old.name, entry.name));
  /** The same for an element that takes the place of another. */
  const isRenewed = (entry, old) => entry.name !== old.name && entry.states.join() === old.states.join() && entry.value === old.value &&
    (early.renewsItself(entry.element, watching.begun) || tellsTime(old.name, entry.name));
  const TIME_OF_DAY = /\b([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?\b/;
  /** Whether a text showed the time of day when the act began, and shows it now. */
  function tellsTime(before, after) {
    const [was, is] = [TIME_OF_DAY.exec(before), TIME_OF_DAY.exec(after)];
    if (!was || !is || before.replace(was[0], '') !== after.replace(is[0], '') || !was[3] !== !is[3]) return false;
    // The zones of the world differ by quarters of an hour.
    const QUARTER = 900;
    const unit = is[3] ? 1 : 60;
    const shown = ([, , minutes, seconds]) => (minutes * 60 + +(seconds || 0)) % QUARTER;
    // A clock is late by up to one unit, and a little more by its way to the page.
    const lag = (text, at) => (((at / 1000 - shown(text)) % QUARTER) + QUARTER) % QUARTER;
    const isOnTime = (lag) => lag < unit + 1 || lag > QUARTER - 1;
    const passed = (Date.now() - watching.at) / 1000;
    const moved = (((shown(is) - shown(was)) % QUARTER) + QUARTER) % QUARTER;
    return isOnTime(lag(was, watching.at)) && isOnTime(lag(is, Date.now())) && moved > 0 && moved < passed + 2 * unit;
  }
  /** The changes since the act began. */
  function finish() {
    const held = watching;
    const shut = lowered();
    // Look again: styles and properties change without mutations.
    if (held) baseline = index(fresh());
    const changes = held ? compare(held.before, baseline, { isForeign, isRenewed }) : [];
    const report = { status: 'ok', next, url: location.href, title: document.title, moved: !!held && (held.url !== location.href || held.title !== document.title), changes, ...heardBy(shut) };
    report.leads = !!acted && !!shut && !shut.prevented && !shut.received.includes('contextmenu') && leadsAway(acted);
    if (acted && !acted.isConnected) {
      // The page may have redrawn it because of the act.
      const after = refOf.has(acted) ? heir(refOf.get(acted)) : null;
      acted = after && after.same.length === 1 ? after.same[0] : null;
    }
    if (acted) {
      const role = describeRole(acted);
      report.element = { ...line(acted, role), value: isSecret(acted) ? acted.value : valueOf(acted, role), states: statesOf(acted, role).join(' ') };
      report.checked = isChecked(acted);
      report.taken = isTaken(acted);
      if (aimed && aimed.isConnected) report.area = areaOf(aimed);
      report.indexes = acted.localName === 'select' ? [...acted.selectedOptions].map((option) => option.index) : [];
    }
    return report;
  }

