  // ---- pictures -------------------------------------------------------------------------------------------

  let overlay = null;
  function unmark() {
    if (overlay) overlay.remove();
    overlay = null;
    baseline = null;
    return { status: 'ok', next };
  }
  function overlayOn(draw) {
    unmark();
    overlay = document.createElement('div');
    overlay.style.cssText = 'all:initial;position:absolute;left:0;top:0;width:0;height:0;z-index:2147483647;pointer-events:none';
    overlay.setAttribute('aria-hidden', 'true');
    const root = overlay.attachShadow({ mode: 'closed' });
    document.documentElement.append(overlay);
    // The overlay itself may be moved by a positioned root element: measure where it really is.
    const origin = overlay.getBoundingClientRect();
    draw(root, -origin.left, -origin.top);
  }
  const COLOURS = ['#d6336c', '#1971c2', '#2f9e44', '#e8590c', '#7048e8', '#0c8599'];
  function annotate(args) {
    const entries = fresh().filter((entry) => entry.act);
    const labels = [];
    overlayOn((root, dx, dy) => {
      entries.forEach((entry) => {
        const box = entry.element.getBoundingClientRect();
        if (box.width < 1 || box.height < 1) return;
        if (!args.full_page && (box.bottom < 0 || box.right < 0 || box.top > innerHeight || box.left > innerWidth)) return;
        const ref = giveRef(entry.element, entry.role, entry.name);
        const colour = COLOURS[ref % COLOURS.length];
        const frame = document.createElement('div');
        frame.style.cssText = `position:absolute;box-sizing:border-box;left:${box.left + dx}px;top:${box.top + dy}px;width:${box.width}px;height:${box.height}px;outline:2px solid ${colour};outline-offset:-1px;border-radius:2px`;
        const tag = document.createElement('div');
        const above = box.top + scrollY >= 14;
        tag.textContent = 'e' + ref;
        tag.style.cssText = `position:absolute;left:-1px;${above ? 'bottom:100%' : 'top:0'};font:bold 11px/13px monospace;color:#fff;background:${colour};padding:0 3px;border-radius:2px;white-space:nowrap`;
        frame.append(tag);
        root.append(frame);
        labels.push(ref);
      });
    });
    return { status: 'ok', next, labels };
  }
  function highlight(args) {
    const held = elementOf.get(args.element);
    const element = held && held.deref();
    if (!element) return stopped('it is no longer on the page');
    overlayOn((root, dx, dy) => {
      const box = element.getBoundingClientRect();
      const frame = document.createElement('div');
      frame.style.cssText = `position:absolute;left:${box.left + dx - 4}px;top:${box.top + dy - 4}px;width:${box.width + 8}px;height:${box.height + 8}px;box-sizing:border-box;border:3px solid #d6336c;border-radius:6px;box-shadow:0 0 0 4px #d6336c44`;
      root.append(frame);
    });
    const mine = overlay;
    setTimeout(() => { if (overlay === mine) unmark(); }, args.ms);
    return { status: 'ok', next };
  }

