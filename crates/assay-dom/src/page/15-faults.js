  // ---- faults: deliberate defects ----------------------------------------------------------------------

  // This part is inactive until a caller requests a fault. From then on every answer says how often faults have
  // taken effect, as one sum for this document, so a lost answer loses no count.
  let struck = 0;
  let sumOf = 0;
  let faulty = false;
  function beginFaults() {
    hush = hold;
    if (faulty) return;
    faulty = true;
    struck = 0;
    sumOf = Math.floor(Math.random() * 2 ** 48);
  }
  const sufferers = new Map();

  /** The target of a fault, or the element with which the page has clearly replaced it. */
  function sufferer(one) {
    if (one.element.isConnected) return one.element;
    const after = heir(one.id);
    if (after && after.same.length === 1) {
      release(one);
      one.element = after.same[0];
      if (one.disables) disable(one);
    }
    return one.element;
  }
  const CAN_BE_DISABLED = new Set(['button', 'input', 'select', 'textarea', 'fieldset', 'option', 'optgroup']);
  /** Disables an element as a page would, and keeps it disabled. When the fault ends, the page's last change applies. */
  function disable(one) {
    const element = one.element;
    const native = CAN_BE_DISABLED.has(element.localName);
    one.attribute = native ? 'disabled' : 'aria-disabled';
    one.wish = element.getAttribute(one.attribute);
    one.deaf = !native;
    const isOff = () => (native ? one.wish !== null : one.wish === 'true');
    const put = () => {
      if (!isOff()) struck++;
      element.setAttribute(one.attribute, native ? '' : 'true');
    };
    put();
    one.keeper = new MutationObserver(() => {
      one.wish = element.getAttribute(one.attribute);
      put();
      one.keeper.takeRecords();
    });
    one.keeper.observe(element, { attributes: true, attributeFilter: [one.attribute] });
  }
  function release(one) {
    if (!one.keeper) return;
    one.keeper.disconnect();
    one.keeper = null;
    if (one.wish === null) one.element.removeAttribute(one.attribute);
    else one.element.setAttribute(one.attribute, one.wish);
  }
  function hold(event) {
    for (const one of sufferers.values()) {
      if (!one.deaf) continue;
      const element = sufferer(one);
      if (!event.composedPath().includes(element) && event.submitter !== element) continue;
      event.preventDefault();
      event.stopImmediatePropagation();
      // The last click listener does not get this event.
      if (guard && event.type === 'click') guard.prevented = true;
      struck++;
      return;
    }
  }
  /** Makes one element deaf or disabled. */
  function fault(args) {
    // A fresh look, so a replacement of the element can be identified later.
    fresh();
    const found = resolveOne(args.selector, 'act', args);
    if (found.status) return found;
    const element = found.element;
    const { ref } = line(element);
    beginFaults();
    if (sufferers.has(ref)) release(sufferers.get(ref));
    const one = { id: ref, element, deaf: args.kind === 'deaf', disables: args.kind === 'disabled', keeper: null };
    sufferers.set(ref, one);
    if (one.disables) disable(one);
    return { status: 'ok', next, total: 1, shown: 1, elements: [line(element)] };
  }

  /** Texts to remove or replace wherever they appear: one expression for all, and the replacement of each. */
  let wording = null;
  let wordingKeeper = null;
  let kept = new WeakSet();
  /** The changes so far: they prevent a second change, and restore the original when the fault ends. */
  let reworded = new Map();
  const READ_OUT = ['placeholder', 'alt', 'aria-label', 'title', 'aria-placeholder', 'aria-description', 'aria-valuetext', 'label'];
  const HAS_READ_OUT = READ_OUT.map((name) => '[' + name + ']').join();
  const FIELDS = 'textarea,input:not([type=password],[type=hidden],[type=checkbox],[type=radio],[type=file],[type=range],[type=color],[type=image])';
  const SILENT = new Set(['script', 'style', 'noscript', 'template', 'textarea', 'iframe', 'object']);
  const wordsAt = (node, name) => (name === '' ? node.data : name === '=' ? node.value : node.getAttribute(name));
  function setWords(node, name, text) {
    if (name === '') node.data = text;
    else if (name === '=') node.value = text;
    else node.setAttribute(name, text);
  }
  function isReworded(node, name) {
    const known = reworded.get(node);
    return !!known && !!known[name] && known[name].after === wordsAt(node, name);
  }
  function reword(node, name, text) {
    const known = reworded.get(node) || {};
    const before = isReworded(node, name) ? known[name].before : wordsAt(node, name);
    setWords(node, name, text);
    // A field may normalize the value.
    known[name] = { before, after: wordsAt(node, name) };
    reworded.set(node, known);
  }
  const insteadOf = (found) => wording.instead.get(squeeze(found));
  function rewordWhole(node, name) {
    const text = wordsAt(node, name);
    if (!text || isReworded(node, name) || text.search(wording.expression) < 0) return;
    reword(node, name, text.replace(wording.expression, insteadOf));
    struck++;
  }
  /** Pieces of text that read as one, because only inline elements lie between them. `null` is a line break. */
  function runsIn(root) {
    const runs = [];
    let run = [];
    const cutOff = () => { if (run.length) runs.push(run); run = []; };
    const visit = (node) => {
      for (const child of node.childNodes) {
        if (child.nodeType === 3) run.push(child);
        if (child.nodeType !== 1 || SILENT.has(child.localName)) continue;
        // The content of an editor belongs to the user.
        if (child.hasAttribute('contenteditable') && child.isContentEditable) continue;
        if (child.localName === 'br') { run.push(null); continue; }
        const inline = /^(inline|contents)/.test(getComputedStyle(child).display);
        if (!inline) cutOff();
        visit(child);
        if (!inline) cutOff();
      }
    };
    visit(root);
    cutOff();
    return runs;
  }
  function rewordRun(run) {
    const done = run.filter((piece) => piece && isReworded(piece, ''));
    let from = 0;
    for (;;) {
      const text = run.map((piece) => (piece ? piece.data : '\n')).join('');
      wording.expression.lastIndex = from;
      const found = wording.expression.exec(text);
      wording.expression.lastIndex = 0;
      if (!found) return;
      const end = found.index + found[0].length;
      const parts = [];
      let start = 0;
      for (const piece of run) {
        const length = piece ? piece.data.length : 1;
        if (piece && start < end && start + length > found.index) parts.push({ piece, first: Math.max(found.index - start, 0), last: Math.min(end - start, length) });
        start += length;
      }
      if (!parts.length || parts.every(({ piece }) => done.includes(piece))) { from = end; continue; }
      const instead = insteadOf(found[0]);
      parts.forEach(({ piece, first, last }, at) => reword(piece, '', piece.data.slice(0, first) + (at ? '' : instead) + piece.data.slice(last)));
      struck++;
      from = found.index + instead.length;
    }
  }
  function rewordRoot(root) {
    if (!kept.has(root)) {
      kept.add(root);
      wordingKeeper.observe(root, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: READ_OUT });
    }
    const text = (root.documentElement || root).textContent;
    // Even if a text spans several elements, its letters appear in this order. If they do not, skip the expensive search.
    if (wording.likely.test(text)) runsIn(root).forEach(rewordRun);
    for (const element of root.querySelectorAll(HAS_READ_OUT)) for (const name of READ_OUT) rewordWhole(element, name);
    for (const field of root.querySelectorAll(FIELDS)) if (typed.get(field) !== field.value) rewordWhole(field, '=');
  }
  const rootsBelow = (root) => [root, ...[...root.querySelectorAll('*')].flatMap((element) => (element.shadowRoot ? rootsBelow(element.shadowRoot) : []))];
  function rewordAll() {
    if (!wording || !document.documentElement) return;
    rootsBelow(document).forEach(rewordRoot);
    // Ignore our own changes.
    wordingKeeper.takeRecords();
  }
  const GLANCE = 50;
  /** Polls, because values and new shadow roots change without a mutation. */
  function glance() {
    if (!wording) return;
    rewordAll();
    setTimeout(glance, GLANCE);
  }
  function armWording(pairs, key) {
    const quoted = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    // Longest first: if one text begins with another, the longer one must match.
    const texts = pairs.map(([text]) => squeeze(text)).filter(Boolean).sort((one, other) => other.length - one.length);
    const spaced = (text, gap) => text.split(' ').map(quoted).join(gap);
    if (!texts.length) return;
    wording = {
      key,
      expression: new RegExp(texts.map((text) => spaced(text, '[\\s\\u00a0\\u200b\\ufeff]+')).join('|'), 'g'),
      // Line breaks and block ends may stand for a space; an unnecessary search does no harm.
      likely: new RegExp(texts.map((text) => spaced(text, '[\\s\\u00a0\\u200b\\ufeff]*')).join('|')),
      instead: new Map(pairs.map(([text, other]) => [squeeze(text), other])),
    };
    wordingKeeper = new MutationObserver(rewordAll);
    beginFaults();
    glance();
  }
  function liftWording() {
    if (!wording) return;
    wording = null;
    wordingKeeper.disconnect();
    for (const [node, names] of reworded) {
      for (const [name, { before, after }] of Object.entries(names)) if (wordsAt(node, name) === after) setWords(node, name, before);
    }
    kept = new WeakSet();
    reworded = new Map();
  }
  function lift() {
    liftWording();
    for (const one of sufferers.values()) release(one);
    sufferers.clear();
    hush = null;
    faulty = false;
    return { status: 'ok', next, struck: [sumOf, struck] };
  }
  // Runs before every answer: the fault also applies to redrawn elements, and no answer may contain a removed text.
  // Every call names the texts for as long as the fault lasts.
  function keepFaults(pairs) {
    for (const one of sufferers.values()) sufferer(one);
    const key = pairs ? JSON.stringify(pairs) : '';
    if (wording && wording.key === key) {
      rewordAll();
    } else {
      liftWording();
      if (pairs) armWording(pairs, key);
    }
  }

