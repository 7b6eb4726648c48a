  // ---- settling and the effect ------------------------------------------------------------------------

  let watching = null;
  let acts = 0;
  let lastGuard = null;
  function startWatching() {
    guard = null;
    lastGuard = null;
    acted = null;
    channel.setAttribute('armed', '');
    channel.removeAttribute('pending');
    channel.removeAttribute('posted');
    channel.removeAttribute('requests');
    channel.setAttribute('act', String(++acts));
    watching = { before: current(), title: document.title, url: location.href, mutations: mutationCount(), inputs };
    early.answers = (seen) => seen !== watching.mutations || inputs !== watching.inputs;
  }
  function watch(args) {
    startWatching();
    return { status: 'ok', next };
  }
  /** Waits until the input that is on its way has been received or held back. False when it did not come in time. */
  async function inputCame() {
    const held = guard;
    if (!held || !held.last || held.blocked || held.received.includes(held.last)) return true;
    const came = await new Promise((done) => {
      const late = setTimeout(() => done(null), 1000);
      held.arrived = (heardLast) => { clearTimeout(late); done({ last: heardLast === true }); };
    });
    // Told first of all, the page's own listeners and the browser's part are still to come. Told last, they are
    // done, and the page can be looked at before it is painted.
    if (!came || !came.last) await afterEvent();
    return !!came;
  }
  async function settle(args) {
    // Asked together with `begin`, so that it is there when the input comes.
    if (args.after_begin && ((await beginning).status !== 'ready' || !guard || !guard.last)) return { status: 'skipped' };
    // A browser that has not given the input yet may still do so, whatever its reasons: the guard stays up until
    // it has, or the same press would be taken for lost and be given twice.
    if (!(await inputCame()) && args.after_begin) return { status: 'no_input', next };
    const busy = await quiet(args, early.answers);
    // All that is still known of a document that was replaced is who received the input.
    if (!early.isHome()) return { status: 'ok', next, url: location.href, title: document.title, ...heardBy(lowered()) };
    // What a page that is going still shows is of use to nobody.
    if (args.after_begin && isLeaving()) {
      // It may come back as it is now, with whatever is up.
      return { status: 'ok', leaving: true, next, url: location.href, title: document.title, ...heardBy(lowered()) };
    }
    return { ...finish(), busy, requests: Number(channel.getAttribute('requests') || 0) };
  }
  /** Takes the guard down, and gives back what it knows; also when it was down already. */
  function lowered() {
    lastGuard = guard || lastGuard;
    guard = null;
    return lastGuard;
  }
  /** Who received the input, or had it kept from them. */
  const heardBy = (shut) => ({ guarded: !!shut && (early.isHome() || shut.received.length > 0), received: shut ? shut.received : [], blocked: shut && shut.blocked ? { type: shut.blocked.type, ...describe(shut.blocked.element) } : null });
  const SENDERS = 'button,input[type=submit],input[type=image]';
  /** Whether the click had a form sent, whose answer takes the place of this page. */
  function isLeaving() {
    const { event, form, act } = early.sent;
    if (!event || act !== acts || event.defaultPrevented || isInFrame() || !acted || !acted.matches(SENDERS)) return false;
    const said = (name) => saidOf(form, event.submitter, name);
    const base = document.querySelector('base[target]');
    const address = addressOf(said('action') || location.href);
    return /^(|_self|_top|_parent)$/i.test(said('target') || (base ? base.target : '')) && said('method').toLowerCase() !== 'dialog' && !!address && /^https?:$/.test(address.protocol);
  }
  /** What changed since the act began. */
  function finish() {
    const held = watching;
    const shut = lowered();
    // Looked at afresh: styles and properties change without a trace.
    if (held) baseline = index(fresh());
    const changes = held ? compare(held.before, baseline) : [];
    const report = { status: 'ok', next, url: location.href, title: document.title, moved: !!held && (held.url !== location.href || held.title !== document.title), changes, ...heardBy(shut) };
    report.leads = !!acted && !!shut && !shut.prevented && !shut.received.includes('contextmenu') && leadsAway(acted);
    if (acted && !acted.isConnected) {
      // The page may have drawn it anew because of the act.
      const after = refOf.has(acted) ? heir(refOf.get(acted)) : null;
      acted = after && after.same.length === 1 ? after.same[0] : null;
    }
    if (acted) {
      const role = describeRole(acted);
      report.element = { ...line(acted, role), value: isSecret(acted) ? acted.value : valueOf(acted, role), states: statesOf(acted, role).join(' ') };
      report.checked = isChecked(acted);
      if (aimed && aimed.isConnected) report.area = areaOf(aimed);
      report.indexes = acted.localName === 'select' ? [...acted.selectedOptions].map((option) => option.index) : [];
    }
    return report;
  }

