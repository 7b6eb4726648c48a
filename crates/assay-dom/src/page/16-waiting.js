  // ---- waiting and the rest --------------------------------------------------------------------------------

  function holdsState(args) {
    let found;
    try {
      found = resolveAll(args.selector, 'read');
    } catch (error) {
      return { status: 'bad_selector', message: String(error.message), next };
    }
    const shown = found.filter(isShown);
    const seen = shown.filter(isSeen);
    const holds = { visible: seen.length > 0, hidden: seen.length === 0, attached: found.length > 0, detached: found.length === 0, enabled: shown.some((element) => !isDisabled(element)) }[args.state];
    const first = seen[0] || shown[0] || found[0];
    return { status: 'ok', holds, next, found: found.length, shown: shown.length, first };
  }
  /** Waits within one document for at most `patience`; the caller follows a new document. */
  async function waitFor(args) {
    const until = now() + args.patience;
    for (;;) {
      let result;
      if (args.selector) {
        result = holdsState(args);
        if (result.first) {
          const role = describeRole(result.first);
          if (result.holds) result.element = { ...line(result.first, role), value: valueOf(result.first, role), states: statesOf(result.first, role).join(' ') };
        }
        delete result.first;
      } else {
        const wanted = squeeze(args.text).toLowerCase();
        const holds = squeeze(pageText()).toLowerCase().includes(wanted) || (!!pageRoot() && textOf(pageRoot(), SHOWN_TEXT).toLowerCase().includes(wanted));
        result = { status: 'ok', next, holds: holds !== args.gone };
      }
      if (result.status !== 'ok' || result.holds || now() > until) return { ...result, next };
      const seen = mutationCount();
      await frameTick();
      if (mutationCount() === seen) await sleep(15);
    }
  }
  /** Waits within one document until its content has not changed for `moment`, for at most `patience`. */
  async function calm(args) {
    const until = now() + args.patience;
    let seen = early.contentChanges();
    let since = now();
    for (;;) {
      await sleep(25);
      const count = early.contentChanges();
      if (count !== seen || document.readyState !== 'complete') {
        seen = count;
        since = now();
      }
      const holds = now() - since >= args.moment;
      if (holds || now() > until) return { status: 'ok', next, holds };
    }
  }
  /** Whether the page is still on its way: it shows so, expects to hear something, or has changed a moment ago. */
  async function isUnderway() {
    if (early.underway() || early.expected() > now()) return { status: 'ok', next, holds: true };
    const seen = early.contentChanges();
    await sleep(120);
    return { status: 'ok', next, holds: early.contentChanges() !== seen };
  }
  function scrollInfo(args) {
    const top = document.scrollingElement || document.documentElement;
    // How far everything around an element is scrolled, together.
    let around = 0;
    for (let node = args && args.element ? elementFor(args.element) : null; node; node = node.parentElement) around += node.scrollTop + node.scrollLeft;
    return { status: 'ok', next, around: Math.round(around), x: Math.round(top.scrollLeft), y: Math.round(top.scrollTop), bottom: Math.max(0, Math.round(top.scrollHeight - top.scrollTop - innerHeight)), width: innerWidth, height: innerHeight };
  }
  function scrollEdge(args) {
    const top = document.scrollingElement || document.documentElement;
    top.scrollTo({ top: args.edge === 'top' ? 0 : top.scrollHeight, behavior: 'instant' });
    return scrollInfo();
  }
  function localStore(args) {
    if (args.set) for (const { name, value } of args.set) localStorage.setItem(name, value);
    return { status: 'ok', next, origin: location.origin, items: Array.from({ length: localStorage.length }, (_, at) => ({ name: localStorage.key(at), value: localStorage.getItem(localStorage.key(at)) })) };
  }
  /** Whether the page gets the same events from text inserted at once as from keys. */
  function takesText(holder) {
    const plain = holder.localName === 'textarea' || (holder.localName === 'input' && /^(text|search|email|url|tel|password)$/.test(holder.type));
    return plain && !channel.hasAttribute('beforeinput') && !holder.closest('[onbeforeinput]');
  }
  /** Inserts text with the editor's own command. Returns false and does nothing if keys could cause more events. */
  function putIn(text) {
    const holder = focused();
    if (!holder || !takesText(holder)) return false;
    document.execCommand('insertText', false, text);
    return true;
  }
  const elementFor = (id) => { const held = elementOf.get(id); return held && held.deref(); };
  /** Where a thing is dropped on an element: in its middle, or in its upper or lower part. */
  function centre(args) {
    const element = elementFor(args.element);
    if (!element || !element.isConnected) return stopped('it is no longer on the page');
    const box = element.getBoundingClientRect();
    const x = box.x + box.width / 2;
    const y = box.y + box.height * ({ above: 0.2, below: 0.8 }[args.side] || 0.5);
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return stopped('it is not in view together with the dragged element');
    const { hit, ok } = hitsAt([element], x, y);
    return ok ? { status: 'ready', next, x, y } : stopped('it is covered', hit ? { covered_by: describe(hit) } : {});
  }
  /** Elements that show a frame. */
  const FRAMES = 'iframe,frame,object,embed';
  const framesIn = (root) => [...root.querySelectorAll('*')].flatMap((element) => (element.matches(FRAMES) ? [element] : element.shadowRoot ? framesIn(element.shadowRoot) : []));
  /** Where the content of a frame begins, and its scale. */
  function contentOf(frame) {
    const box = frame.getBoundingClientRect();
    const style = getComputedStyle(frame);
    const across = frame.offsetWidth ? box.width / frame.offsetWidth : 1;
    const down = frame.offsetHeight ? box.height / frame.offsetHeight : 1;
    return { across, down, left: box.left + (frame.clientLeft + parseFloat(style.paddingLeft)) * across, top: box.top + (frame.clientTop + parseFloat(style.paddingTop)) * down };
  }
  function frameAt(args) {
    // The frame is the one whose content begins at this point.
    const begins = (frame) => {
      const content = contentOf(frame);
      return Math.abs(content.left - args.left) < 2 && Math.abs(content.top - args.top) < 2;
    };
    const candidates = framesIn(document).filter(begins);
    let hit = null;
    for (const frame of candidates) {
      const content = contentOf(frame);
      const x = content.left + args.x * content.across;
      const y = content.top + args.y * content.down;
      hit = deepest(x, y);
      if (hit === frame) return { status: 'ready', next, x, y, across: content.across, down: content.down, view: [innerWidth, innerHeight] };
    }
    // The frame has scrolled to the target, but the frame itself may still be out of view.
    if (candidates.length === 1) candidates[0].scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    return stopped('it is covered', hit ? { covered_by: describe(hit) } : {});
  }
  // The element at a point: its known refs and those of its ancestors, nearest first; for a label, also those of its
  // control. If the point is in a frame, its position inside the frame.
  function at(args) {
    const hit = deepest(args.x, args.y);
    const refs = [];
    const add = (element) => { if (element && refOf.has(element) && !refs.includes(refOf.get(element))) refs.push(refOf.get(element)); };
    for (let node = hit; node; node = up(node)) {
      add(node);
      if (node.localName === 'label') add(node.control);
    }
    const elements = refs.map((ref) => {
      const role = describeRole(elementFor(ref));
      return { ...line(elementFor(ref), role), value: valueOf(elementFor(ref), role), states: statesOf(elementFor(ref), role).join(' ') };
    });
    const text = hit && hit !== document.body && hit !== document.documentElement ? squeeze(shownText(hit)) : '';
    const content = hit && hit.matches(FRAMES) ? contentOf(hit) : null;
    return { status: 'ok', next, elements, tag: hit ? hit.localName : '', text: text.length > FEW_WORDS ? '' : text, view: [innerWidth, innerHeight],
      frame: content && [content.left, content.top], inner: content && [(args.x - content.left) / content.across, (args.y - content.top) / content.down] };
  }
  /** A longer text describes a whole part of the page, not the element at the point. */
  const FEW_WORDS = 80;

