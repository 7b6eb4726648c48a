  // ---- questions -----------------------------------------------------------------------------------

  function query(args) {
    let found;
    try {
      found = resolveAll(args.selector, args.kind || 'read');
    } catch (error) {
      return { status: 'bad_selector', message: String(error.message), next };
    }
    if (!found.length && args.selector.steps.length === 1 && args.selector.steps[0].by === 'ref') return resolveOne(args.selector, 'read', args);
    const shown = found.filter(isShown);
    if (args.count_only) return { status: 'ok', next, total: found.length, shown: shown.length, elements: [] };
    if (!found.length) return { status: 'not_found', candidates: args.quiet ? [] : nearest(args.selector, 'read'), next };
    const elements = (args.shown_first && shown.length ? shown : found).slice(0, args.limit).map((element) => {
      const role = describeRole(element);
      return { ...line(element, role), value: valueOf(element, role), states: statesOf(element, role).join(' ') };
    });
    return { status: 'ok', next, total: found.length, shown: shown.length, elements };
  }

  function pageText() {
    const body = pageRoot();
    return body ? readable(body) : '';
  }
  const hasIcons = (element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) if (isIcon(texts.currentNode.parentElement, texts.currentNode.data)) return true;
    return false;
  };
  /** The text of an element as the browser copies it, without the pictures of icon fonts. */
  function readable(element) {
    if (!hasIcons(element)) return (element.innerText ?? element.textContent ?? '').replace(PRIVATE, '');
    const out = [];
    spell(element, out);
    return out.join('').replace(PRIVATE, '').replace(/ *\n[\n ]*/g, '\n').replace(/ *\t */g, '\t').replace(/ {2,}/g, ' ').trim();
  }
  /** The visible text, with one line for each block. `innerText` cannot leave parts out. */
  function spell(element, out) {
    const isVisible = getComputedStyle(element).visibility === 'visible';
    for (const child of childrenOf(element)) {
      if (child.nodeType === 3 && isVisible && !isIcon(element, child.data)) out.push(child.data.replace(/\s+/g, ' '));
      if (child.nodeType !== 1 || NO_TEXT.has(child.localName) || !isRendered(child)) continue;
      const { display } = getComputedStyle(child);
      const breaks = display === 'table-cell' ? '\t' : child.localName === 'br' || !/^(inline|contents)/.test(display) ? '\n' : '';
      if (breaks === '\n') out.push(breaks);
      spell(child, out);
      if (breaks) out.push(breaks);
    }
  }
  /** The visible text of an element; for a control, its value. */
  function shownText(element) {
    const role = roleOf(element);
    if (EDITABLE.has(role)) return valueOf(element, role) ?? '';
    return readable(element).replace(/\u00a0/g, ' ').trim();
  }
  function read(args) {
    if (!args.selector) {
      if (args.what === 'text') return { status: 'ok', next, text: pageText() };
      return { status: 'ok', next, text: '<!doctype html>\n' + document.documentElement.outerHTML };
    }
    if (args.what === 'text') {
      const all = query({ ...args, limit: 1, count_only: true });
      if (all.status === 'ok' && all.total > 1) {
        const found = resolveAll(args.selector, 'read');
        const shown = found.filter(isShown);
        return { status: 'ok', next, texts: (shown.length ? shown : found).map(shownText) };
      }
    }
    const found = resolveOne(args.selector, args.what === 'value' || args.what === 'editable' ? 'edit' : args.what === 'checked' ? 'check' : 'read', args);
    if (found.status) return found;
    const element = found.element;
    const role = roleOf(element);
    switch (args.what) {
      case 'text': return { status: 'ok', next, text: shownText(element) };
      case 'html': return { status: 'ok', next, text: element.outerHTML };
      case 'value': {
        const value = element.localName === 'input' && element.type === 'password' ? element.value : element.localName === 'select' ? element.value : valueOf(element, role);
        return { status: 'ok', next, text: value === null ? (element.value === undefined ? null : String(element.value)) : value };
      }
      case 'attr': return { status: 'ok', next, text: element.getAttribute(args.name) };
      case 'visible': return { status: 'ok', next, holds: isSeen(element) };
      case 'enabled': return { status: 'ok', next, holds: !isDisabled(element) };
      case 'editable': return { status: 'ok', next, holds: isEditable(element, role) === true };
      case 'checked': {
        const checked = isChecked(element);
        if (checked === null) return { status: 'wrong_kind', next, ...line(element), message: 'has no checked state' };
        return { status: 'ok', next, text: checked };
      }
      case 'box': {
        const box = element.getBoundingClientRect();
        return { status: 'ok', next, box: [box.x + scrollX, box.y + scrollY, box.width, box.height] };
      }
      default: throw new Error('unknown question ' + args.what);
    }
  }
  function isEditable(element, role) {
    if (isDisabled(element)) return 'it is disabled';
    if (element.readOnly || element.getAttribute('aria-readonly') === 'true') return 'it is read-only';
    if (isCodeEditor(element)) return inputOf(element) && !inputOf(element).readOnly ? true : 'it is read-only';
    const tag = element.localName;
    if (tag === 'input') return ['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'hidden'].includes(element.type) ? 'it is a ' + (role || element.type) + ', not a text field' : true;
    if (tag === 'textarea' || tag === 'select' || element.isContentEditable || isDateGroup(element) || isDatePart(element)) return true;
    return 'it is not a text field';
  }

