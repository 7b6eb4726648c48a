  // ---- actionability -----------------------------------------------------------------------------------

  function deepest(x, y) {
    let element = document.elementFromPoint(x, y);
    while (element && element.shadowRoot) {
      const inner = element.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === element) break;
      element = inner;
    }
    return element;
  }
  function composedContains(outer, inner) {
    for (let node = inner; node; node = up(node)) if (node === outer) return true;
    return false;
  }
  const inViewport = (box) => box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  function isMoving(element) {
    if (element.getRootNode() === document && document.getAnimations && !document.getAnimations().length) return false;
    for (let node = element; node; node = up(node)) {
      if (!node.getAnimations) return false;
      for (const animation of node.getAnimations()) {
        if (animation.playState !== 'running') continue;
        const frames = animation.effect && animation.effect.getKeyframes ? animation.effect.getKeyframes() : [];
        const moves = frames.some((frame) => Object.keys(frame).some((key) => /transform|translate|rotate|scale|left|right|top|bottom|width|height|margin|padding|inset|offset|font/i.test(key)));
        if (moves) return true;
      }
    }
    return false;
  }
  function boxKey(element) {
    const box = element.getBoundingClientRect();
    return box.x + ',' + box.y + ',' + box.width + ',' + box.height;
  }
  const RESTLESS = 150;
  /** Whether scripts have just changed the style of the element or of an ancestor. */
  function isBeingMoved(element) {
    for (let node = element; node; node = up(node)) if (now() - (styled.get(node) ?? -1e9) < RESTLESS) return true;
    return false;
  }
  // Whether the element stays where it is. Waits only if something may be moving: a browser animation, or
  // scripts that change styles.
  async function isStable(element) {
    mutationCount();
    if (now() - early.lastStyling() > RESTLESS && !isMoving(element)) return true;
    const before = boxKey(element);
    await frameTick();
    if (boxKey(element) !== before) return false;
    await frameTick();
    mutationCount();
    return boxKey(element) === before && !isBeingMoved(element);
  }

  const SPOTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.1], [0.9, 0.9], [0.1, 0.9], [0.9, 0.1]];
  function pointsOf(element) {
    const rects = [...element.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
    const points = [];
    for (const rect of rects.slice(0, 4)) {
      const left = Math.max(rect.left, 0);
      const top = Math.max(rect.top, 0);
      const right = Math.min(rect.right, innerWidth);
      const bottom = Math.min(rect.bottom, innerHeight);
      if (right <= left || bottom <= top) continue;
      for (const [across, down] of SPOTS) points.push([left + (right - left) * across, top + (bottom - top) * down]);
    }
    return points;
  }
  function describe(element) {
    const role = describeRole(element);
    let named = element;
    // A backdrop has no name: the nearest ancestor with a role says more.
    for (let node = element, step = 0; node && step < 6; node = up(node), step++) {
      const own = roleOf(node);
      if (own && (WIDGETS.has(own) || NOTABLE.has(own))) { named = node; break; }
    }
    const chosen = named === element ? role : describeRole(named);
    const name = nameOf(named, chosen) || (named.id ? '#' + named.id : '');
    return { ...line(named, chosen, nameOf(named, chosen)), label: name };
  }
  /** A separate control between the hit element and the target: it would take the click. */
  function innerControl(hit, hosts) {
    // A cell is a part of its row, and takes no click from it.
    const isRow = roleOf(hosts[0]) === 'row';
    for (let node = hit; node && !hosts.includes(node); node = up(node)) {
      const role = roleOf(node);
      if (WIDGETS.has(role) && !(isRow && role === 'gridcell') || node.hasAttribute('onclick')) return node;
    }
    return null;
  }
  function hitsAt(hosts, x, y) {
    const hit = deepest(x, y);
    return { hit, ok: !!hit && hosts.some((host) => composedContains(host, hit)) };
  }

  const stopped = (reason, extra = {}) => ({ status: 'not_actionable', reason, next, ...extra });

  /** Checks once; returns a point, or the reason why the element is not ready. */
  async function checkPointer(element) {
    if (!element.isConnected) return stopped('it is no longer on the page');
    let target = element;
    if (element.localName === 'input' && (element.type === 'checkbox' || element.type === 'radio' || element.type === 'file') && element.labels && element.labels.length) {
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      // If only its label makes a control visible, click the label, as people do.
      if (!isSeen(element) || style.pointerEvents === 'none' || box.width < 2 || box.height < 2) target = [...element.labels].find(isShown) || element;
    }
    if (!isShown(target)) return stopped('it is hidden');
    if (isDisabled(element)) return stopped('it is disabled');
    const box = target.getBoundingClientRect();
    if (!inViewport(box)) {
      target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      // After scrolling by a fraction of a pixel, the browser may move the element again, to a whole pixel.
      await frameTick();
      await frameTick();
    }
    if (!(await isStable(target))) return stopped('it is moving');
    const hosts = [target, element, ...(element.labels || [])];
    let covering = null;
    let points = pointsOf(target);
    if (!points.length) {
      target.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
      points = pointsOf(target);
      if (!points.length) return stopped('it is outside the visible part of the page and cannot be scrolled into it');
    }
    for (const attempt of [0, 1]) {
      for (const [x, y] of attempt ? pointsOf(target) : points) {
        const { hit, ok } = hitsAt(hosts, x, y);
        if (ok && !innerControl(hit, hosts)) return { status: 'ready', x, y, hosts };
        covering = covering || hit;
      }
      // A sticky header may cover it: try another position in the viewport once.
      if (!attempt) target.scrollIntoView({ block: covering && covering.getBoundingClientRect().top > innerHeight / 2 ? 'start' : 'end', inline: 'nearest', behavior: 'instant' });
    }
    return stopped('it is covered', covering ? { covered_by: describe(covering) } : {});
  }

  const KIND_OF = { click: 'act', dblclick: 'act', hover: 'act', focus: 'act', fill: 'edit', type: 'edit', clear: 'edit', select: 'choose', check: 'check', uncheck: 'check', upload: 'file', drag: 'read', drop: 'read', scroll: 'read', highlight: 'read', press: 'act' };

  /** The box of an element, for marks on screenshots. */
  function areaOf(element) {
    const box = element.getBoundingClientRect();
    return [box.x, box.y, box.width, box.height];
  }
  const isSameArea = (one, other) => one.every((length, at) => Math.abs(length - other[at]) < 1);
  const SPEAKING = new Set(['button', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'tab', 'treeitem', 'switch', 'checkbox', 'radio', 'clickable']);
  const LONGEST_SAYING = 80;
  const nameIn = (element) => nameOf(element, describeRole(element));
  /** A longer text covers many things and does not say what pressing does. */
  const sayings = (element) => [nameIn(element), (element.innerText || '').trim(), element.title || ''].filter((said) => said.length <= LONGEST_SAYING);
  /** The parts of an address that say by themselves that opening it deletes: `/items/5/delete`, `?do=remove`. */
  function deletingPartsOf(address) {
    if (!address) return [];
    const parts = [...address.pathname.split('/'), ...address.searchParams.values()];
    return parts.map((part) => part.replace(/\.\w{1,5}$/, '')).filter((part) => /^(delete|remove|destroy|erase)$/i.test(part));
  }
  /** What pressing an element would press, in words: it and the controls around it, and the buttons of a form that a key sends. */
  function pressedBy(element, args) {
    const labels = [...(args.options || [])];
    const led = [];
    if (element.localName === 'select') {
      for (const option of element.options) if (labels.includes(option.value) || labels.includes(option.label)) labels.push(option.text);
    }
    const isField = (args.kind === 'press' || args.kind === 'focus') && isEditable(element, describeRole(element)) === true;
    for (let node = element; node && !isField; node = up(node)) {
      if (node.nodeType !== 1) continue;
      const leads = node.localName === 'a' && leadsAway(node);
      const into = leads ? led : labels;
      if (leads) led.push(...deletingPartsOf(addressOf(node.getAttribute('href'))));
      if (node === element || SPEAKING.has(describeRole(node)) || node.localName === 'a') into.push(...sayings(node));
      // The name of a control is about it alone, however long it is.
      if (node === element && SPEAKING.has(describeRole(node))) into.push(nameIn(node));
      if (node.localName === 'label' && node.control) labels.push(...sayings(node.control));
    }
    if (args.kind === 'press' && element.form) {
      for (const control of element.form.elements) if (control.type === 'submit' || control.type === 'image') labels.push(...sayings(control), nameIn(control));
    }
    // What a form is sent to, and the title of its page, say whether "Yes" deletes.
    const sender = element.closest('button,input') || element;
    const form = sender.form;
    const sends = args.kind === 'press' || !isField && (sender.type === 'submit' || sender.type === 'image');
    if (form && sends && saidOf(form, sender, 'method').toLowerCase() === 'post') {
      const { pathname } = addressOf(saidOf(form, sender, 'action')) || location;
      led.push(pathname, document.title);
      // `/orders/5/pay` says what is done; a shop may live below `/buy`.
      labels.push(pathname.split('/').filter((part) => /[a-z]/i.test(part)).pop() || '');
    }
    return { labels: labels.filter((label) => label), led: led.filter((label) => label) };
  }
  /** Finds the target, waits until it can be acted on, and arms the guard. */
  let beginning = null;
  function begin(args) {
    beginning = find(args);
    return beginning;
  }
  async function find(args) {
    const until = now() + args.patience;
    const keys = args.kind === 'fill' || args.kind === 'type' || args.kind === 'clear' || args.kind === 'press' || args.kind === 'focus' || args.kind === 'select';
    let last = null;
    let first = null;
    listen();
    if (args.watch) startWatching(args.continues && unopened);
    for (;;) {
      const found = resolveOne(args.selector, KIND_OF[args.kind], args);
      if (found.status) {
        if (!(args.wait && found.status === 'not_found') || now() > until) return found;
        last = found;
      } else {
        const element = found.element;
        const role = describeRole(element);
        // After scrolling or moving, the element is no longer where earlier screenshots show it.
        first = first || { element, area: areaOf(element) };
        const aim = (shown) => ({ area: areaOf(shown), view: [innerWidth, innerHeight], moved: first.element !== element || !isSameArea(first.area, areaOf(element)) });
        const result = args.kind === 'upload' ? checkFile(element) : args.kind === 'scroll' || args.kind === 'highlight' ? { status: 'ready', hosts: [element] } : keys ? checkKeys(element, role, args) : await checkPointer(element);
        if (result.status === 'ready') {
          if (args.kind === 'scroll') element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
          // Page scripts may have run during the checks, so check that the element still exists.
          if (!element.isConnected) continue;
          // With many keys, the last one cannot be distinguished from the others.
          if (result.strokes || result.parts || (globalThis.typesByKeys && args.kind === 'fill' && !takesText(element))) args.last = null;
          else if (args.guard && args.kind === 'fill' && !listensForKeys(element)) args.last = 'input';
          if (args.guard && !result.drawn) guard = { allowed: keys ? [element] : result.hosts, keys, received: [], blocked: null, last: args.last || null, arrived: null, spot: [result.x, result.y], press: null, deed: null };
          if (args.guard && args.kind === 'select' && !result.list && result.indexes) guard.until = { element, index: result.indexes[0] };
          acted = element;
          aimed = result.hosts[0];
          delete result.hosts;
          return { ...result, ...aim(aimed), next, url: location.href, element: { ...line(element, role), value: valueOf(element, role), states: statesOf(element, role).join(' ') }, healed: found.healed || 0, checked: isChecked(element), keys: listensForKeys(element), ...(args.labels ? pressedBy(element, args) : {}), awaits: !!(guard && guard.last), secret: isSecret(element), length: isSecret(element) ? element.value.length : 0 };
        }
        if (result.status !== 'not_actionable') return { ...result, next };
        last = { ...result, ...aim(element), element: line(element, role), healed: found.healed || 0 };
        if (result.final) return last;
      }
      if (now() > until) return last;
      await Promise.race([frameTick(), sleep(30)]);
    }
  }
  let acted = null;
  /** The element that the pointer aimed at: the target itself, or its label. */
  let aimed = null;
  const listensForKeys = (element) => channel.hasAttribute('keys') || !!element.closest('[onkeyup],[onkeydown],[onkeypress]');
  /** A link that the browser itself follows: to another page, or to a file. */
  function leadsAway(element) {
    const link = element.closest('a[href],area[href]');
    const address = link && addressOf(link.getAttribute('href'));
    if (!address || !/^(https?|file|blob|data):$/.test(address.protocol)) return false;
    // The page itself stays if the link leads to an anchor in it or to one of its frames.
    if (address.hash && address.href.split('#')[0] === location.href.split('#')[0]) return false;
    const beside = link.getAttribute('target');
    return !beside || ![...document.querySelectorAll('iframe[name],frame[name]')].some((frame) => frame.name === beside);
  }
  /** Parses an address of the page; null if it is not valid. */
  function addressOf(text) {
    try { return new URL(text, document.baseURI); } catch { return null; }
  }
  /** The `action`, `method` or `target` of a form; the attributes of the submitting control win. */
  const saidOf = (form, control, name) => (control && control.getAttribute('form' + name)) || form.getAttribute(name) || '';
  const isSecret = (element) => element.localName === 'input' && element.type === 'password';

  function checkFile(element) {
    let input = element;
    if (element.localName === 'label' && element.control) input = element.control;
    if (input.localName !== 'input' || input.type !== 'file') {
      const inner = input.querySelector && input.querySelector('input[type=file]');
      if (!inner) return stopped('it is not a file input', { final: true, advice: document.querySelector('input[type=file]') ? 'find-all input[type=file]' : null });
      input = inner;
    }
    if (isDisabled(input)) return stopped('it is disabled');
    return { status: 'ready', hosts: [input], file: giveRef(input, 'file', nameOf(input, 'file')), multiple: input.multiple };
  }

  function focused() {
    let element = document.activeElement;
    while (element && element.shadowRoot && element.shadowRoot.activeElement) element = element.shadowRoot.activeElement;
    return element;
  }
  const DATED = new Set(['date', 'time', 'datetime-local', 'month', 'week']);
  function checkKeys(element, role, args) {
    if (!element.isConnected) return stopped('it is no longer on the page');
    if (!isShown(element)) return stopped('it is hidden');
    if (args.kind === 'fill' || args.kind === 'type' || args.kind === 'clear') {
      const editable = isEditable(element, role);
      if (editable !== true) return stopped(editable, { final: !/disabled|read-only/.test(editable) });
      if (element.localName === 'select') return stopped('it is a list of choices', { final: true, advice: 'select' });
    } else if (isDisabled(element)) {
      return stopped('it is disabled');
    }
    if (args.kind === 'select') {
      const plan = planSelect(element, args.options);
      if (plan.status) return plan;
      if (plan.drawn) return { status: 'ready', hosts: [element], ...plan };
      if (!inViewport(element.getBoundingClientRect())) element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      const cover = coveredBy(element);
      if (cover) return cover;
      focusOn(element);
      if (focused() !== element) return stopped('it does not take the focus');
      return { status: 'ready', hosts: [element], ...plan };
    }
    if (!inViewport(element.getBoundingClientRect())) element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    const cover = coveredBy(element);
    if (cover && args.kind !== 'focus' && args.kind !== 'press') return cover;
    const isDate = isDateGroup(element);
    if (isDate && args.kind !== 'focus' && args.kind !== 'press') return planParts(element, args.kind === 'clear' ? '' : args.text, args.kind);
    focusOn(isDate ? element.querySelector(PART) : isCodeEditor(element) && inputOf(element) ? inputOf(element) : element);
    const holder = focused();
    if (holder !== element && !(holder && element.contains(holder))) return stopped('it does not take the focus', holder && holder !== document.body ? { covered_by: null, focus_at: describe(holder) } : {});
    if (args.kind === 'focus' || args.kind === 'press') return { status: 'ready', hosts: [element] };
    const type = element.localName === 'input' ? element.type : '';
    if (DATED.has(type) || type === 'range' || type === 'color') {
      // Start at the first part, wherever the focus was last.
      element.blur();
      focusOn(element);
      const plan = planSpecial(element, type, args.kind === 'clear' ? '' : args.text);
      return plan.status ? plan : { status: 'ready', hosts: [element], ...plan };
    }
    if (isDatePart(element) && args.kind !== 'type') {
      // A part forgets the digits that it had before when it gets the focus anew.
      element.blur();
      focusOn(element);
      if (element.isContentEditable) selectContent(element);
      const plan = planPart(element, args.kind === 'clear' ? '' : args.text);
      return plan.status ? plan : { status: 'ready', hosts: [element], ...plan };
    }
    // Only keys move the caret and the selection of an editor that draws its text.
    if (isCodeEditor(element)) return { status: 'ready', hosts: [element], editor: true };
    if (args.kind === 'type') return { status: 'ready', hosts: [element], end_first: caretToEnd(element) };
    selectContent(element);
    return { status: 'ready', hosts: [element] };
  }
  /** The element that covers a field, if any: a user could not type into a covered field. */
  function coveredBy(element) {
    const hosts = [element, ...(element.labels || [])];
    // The handle of a drawn slider shows in place of the field inside it.
    const handle = element.type === 'range' && !isSeen(element) ? element.parentElement : null;
    let covering = null;
    for (const [x, y] of pointsOf(element)) {
      const { hit, ok } = hitsAt(hosts, x, y);
      if (ok || (hit && hit === handle)) return null;
      covering = covering || hit;
    }
    // A field without a point to hit is hidden on purpose, and another element draws it.
    return covering ? stopped('it is covered', { covered_by: describe(covering) }) : null;
  }
  function focusOn(element) {
    if (focused() !== element) element.focus({ preventScroll: true });
  }
  function selectContent(element) {
    if (element.select && element.localName !== 'select') {
      element.select();
    } else {
      const range = document.createRange();
      range.selectNodeContents(element);
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
    }
  }
  /** Where typing continues, as node and offset: after the last text, or in the empty paragraph after it. */
  function lastSpot(element) {
    const nodes = element.childNodes;
    for (let at = nodes.length - 1; at >= 0; at--) {
      const child = nodes[at];
      if (child.nodeType === 3 && /\S/.test(child.data)) return [child, child.data.trimEnd().length];
      if (child.nodeType !== 1 || child.localName === 'br') continue;
      // After content that is not editable.
      if (!child.isContentEditable) return [element, at + 1];
      const inner = lastSpot(child);
      if (inner) return inner;
      if (/^(p|div|li|h[1-6]|blockquote|pre)$/.test(child.localName)) return [child, 0];
    }
    return null;
  }
  /** Moves the caret to the end. Returns true if only the End key can do that. */
  function caretToEnd(element) {
    if (element.isContentEditable) {
      selectContent(element);
      const last = lastSpot(element);
      if (last) getSelection().collapse(...last);
      else getSelection().collapseToEnd();
      return false;
    }
    try {
      element.setSelectionRange(element.value.length, element.value.length);
    } catch {
      // Scripts cannot move the caret in email and number fields; a key can.
      return true;
    }
    return false;
  }

  /** Year, month and day in the order in which the browser shows them. */
  const dateOrder = () => new Intl.DateTimeFormat(undefined, { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(new Date(2026, 4, 31)).map((part) => part.type);

  /** A date in the order in which the browser shows it, or a time with AM or PM, as the field sends it. */
  function asTheFieldSends(type, text) {
    if (type === 'time') {
      const time = /^(\d{1,2}):(\d\d)(:\d\d)?\s*([ap])\.?m\.?$/i.exec(text.trim());
      if (!time || +time[1] < 1 || +time[1] > 12) return text;
      const hour = (+time[1] % 12) + (time[4].toLowerCase() === 'p' ? 12 : 0);
      return String(hour).padStart(2, '0') + ':' + time[2] + (time[3] || '');
    }
    const date = type === 'date' && /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(text.trim());
    if (!date) return text;
    const order = dateOrder();
    const isMonthFirst = order.indexOf('month') < order.indexOf('day');
    let [month, day] = isMonthFirst ? [+date[1], +date[2]] : [+date[2], +date[1]];
    // No month has such a number: it is written in the other order.
    if (month > 12) [month, day] = [day, month];
    return isInCalendar(+date[3], month, day) ? writtenDate(+date[3], month, day) : text;
  }

  // A field with several parts is typed part by part, in the order in which the browser shows them.
  function planSpecial(element, type, text) {
    if (type === 'color') return stopped('a colour field opens a system picker, which assay cannot operate', { final: true, unsupported: true });
    if (type === 'range') {
      const low = element.min === '' ? 0 : +element.min;
      const high = element.max === '' ? 100 : +element.max;
      const step = element.step === 'any' || element.step === '' ? 1 : +element.step;
      const wanted = text === '' ? low + (high - low) / 2 : Number(text);
      if (!(wanted >= low && wanted <= high)) return { status: 'bad_value', next, message: 'expected a number from ' + low + ' to ' + high + ', found `' + text + '`' };
      const steps = Math.round((wanted - low) / step);
      if (steps > 2000) return stopped('it has too many steps to be moved by keys', { final: true, unsupported: true });
      return { strokes: ['Home', ...new Array(steps).fill('ArrowRight')], expected: String(+(low + steps * step).toFixed(10)) };
    }
    if (text === '') return { strokes: ['Backspace', 'Tab', 'Backspace', 'Tab', 'Backspace'].slice(0, type === 'month' || type === 'week' ? 3 : 5), expected: '' };
    const shapes = { date: /^(\d{4,6})-(\d\d)-(\d\d)$/, month: /^(\d{4,6})-(\d\d)$/, week: /^(\d{4,6})-W(\d\d)$/, time: /^(\d\d):(\d\d)(?::(\d\d))?$/, 'datetime-local': /^(\d{4,6})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)$/ };
    const shown = { date: '2026-05-31', month: '2026-05', week: '2026-W22', time: '13:45', 'datetime-local': '2026-05-31T13:45' };
    const sent = asTheFieldSends(type, text);
    const match = shapes[type].exec(sent);
    if (!match) return { status: 'bad_value', next, message: 'expected a ' + type + ' like `' + shown[type] + '`, found `' + text + '`' };
    const strokes = [];
    // Engines differ in whether a complete part moves on to the next one; the driver says which kind this is.
    const onward = () => { if (globalThis.partsStay) strokes.push('ArrowRight'); };
    const digits = (part) => { strokes.push(...part); onward(); };
    const clock = (hour, minute, second) => {
      const twelve = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hour12;
      digits(twelve ? String(((+hour + 11) % 12) + 1).padStart(2, '0') : hour);
      digits(minute);
      // The field has a separate part for seconds if its step is not in whole minutes.
      if (element.step === 'any' || (+element.step || 60) % 60) digits(second || '00');
      if (twelve) strokes.push(+hour < 12 ? 'a' : 'p');
    };
    const dateParts = (year, month, day) => {
      for (const part of dateOrder()) {
        if (part === 'day') digits(day);
        else if (part === 'month') digits(month);
        else if (part === 'year') { digits(year); if (!globalThis.partsStay && !globalThis.yearLeadsOn) strokes.push('ArrowRight'); }
      }
    };
    if (type === 'date') dateParts(match[1], match[2], match[3]);
    else if (type === 'month') { strokes.push('Backspace', ...new Array(+match[2]).fill('ArrowUp'), 'ArrowRight'); digits(match[1]); }
    else if (type === 'week') { digits(match[2]); digits(match[1]); }
    else if (type === 'time') clock(match[1], match[2], match[3]);
    else { dateParts(match[1], match[2], match[3]); clock(match[4], match[5]); }
    return { strokes, expected: sent.replace(' ', 'T') };
  }

  const OPTION = '[role=option],[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem],[role=radio],li,[role=listitem]';
  /** What was to be seen before a drawn list was opened: options, and whatever else bears the name of one. */
  let shownBefore = new WeakSet();
  /** What was watched before a drawn list was opened. */
  let unopened = null;
  function planDrawn(element, options) {
    const role = describeRole(element);
    if (!opensList(element, role)) return stopped('it is a ' + role + ', not a list of choices', { final: true, advice: 'click' });
    shownBefore = new WeakSet();
    unopened = watching;
    for (const text of options) for (const one of calledSo(text)) shownBefore.add(one);
    for (const one of optionsIn(roots(document))) shownBefore.add(one);
    const handle = handleOf(element);
    return { drawn: true, handle: handle === element ? 0 : giveRef(handle, describeRole(handle), nameOf(handle, describeRole(handle))) };
  }
  /** What a click on a control goes to: the parts that are drawn over its field stand in a box with it. */
  function handleOf(element) {
    if (!inViewport(element.getBoundingClientRect())) element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    const hits = pointsOf(element).map(([x, y]) => deepest(x, y)).filter(Boolean);
    if (hits.some((hit) => composedContains(element, hit))) return element;
    let box = element;
    for (let height = 0; height < 4 && box && box !== document.body; height++, box = up(box)) {
      if (pointsOf(box).length && hits.some((hit) => composedContains(box, hit))) return box;
    }
    return element;
  }
  const optionsIn = (tops) => tops.flatMap((top) => [...top.querySelectorAll(OPTION)]).filter(isShown);
  /** The smallest elements that show a text and nothing else; a text of other letters' case where there is no other. */
  function calledSo(text) {
    const exact = [];
    const loose = [];
    for (const element of everyElement(document)) {
      if (NO_TEXT.has(element.localName) || element.textContent.length > 4 * text.length + 60 || !same(squeeze(element.textContent), text) && !same(textOf(element), text) || !isShown(element)) continue;
      (textOf(element) === text ? exact : loose).push(element);
    }
    return innermost(exact.length ? exact : loose);
  }
  /** The lists that belong to a control: inside it, or named by it. */
  function listsOf(element) {
    const lists = [element];
    for (const one of [element, ...element.querySelectorAll('[aria-controls],[aria-owns]')]) {
      for (const id of ((one.getAttribute('aria-controls') || '') + ' ' + (one.getAttribute('aria-owns') || '')).split(/\s+/)) {
        const list = id && one.getRootNode().getElementById(id);
        if (list) lists.push(list);
      }
    }
    return lists;
  }
  const SCROLLS = 60;
  /** Waits until a drawn list offers an option. Gives its ref, or the names of what is offered. */
  async function offered(args) {
    const element = elementFor(args.element);
    if (!element || !element.isConnected) return { status: 'ok', next, option: 0, names: [], total: 0, taken: false };
    const until = now() + args.patience;
    let scrolls = args.scroll ? SCROLLS : 0;
    for (;;) {
      const lists = listsOf(element);
      const isIn = (one) => lists.some((list) => list !== one && composedContains(list, one));
      const belongs = (one) => !one.contains(element) && (isIn(one) ? !!one.closest(OPTION) : !shownBefore.has(one) && !element.contains(one));
      const found = calledSo(args.wanted).filter(belongs);
      const choices = [...new Set(found.map((one) => one.closest(OPTION) || one))];
      const marked = choices.filter((one) => one.matches('[role=option]'));
      const chosen = marked.length ? marked : choices;
      const open = optionsIn(roots(document)).filter((one) => (isIn(one) || !shownBefore.has(one)) && textOf(one));
      if (chosen.length === 1 || (chosen.length > 1 && now() > until)) {
        const one = chosen[0];
        const list = one.closest('[role=listbox]');
        const isTaken = (one.getAttribute('aria-selected') === 'true' || one.getAttribute('aria-checked') === 'true') && !!list && list.getAttribute('aria-multiselectable') === 'true';
        return { status: 'ok', next, option: chosen.length === 1 ? giveRef(one, describeRole(one), nameOf(one, describeRole(one))) : 0, several: chosen.length > 1, names: [], total: chosen.length, taken: isTaken };
      }
      let roll = open[0];
      while (roll && !(roll.scrollHeight > roll.clientHeight + 5 && /auto|scroll/.test(getComputedStyle(roll).overflowY))) roll = up(roll);
      if (scrolls && roll && roll !== document.body && roll !== document.documentElement) {
        // A list that draws only what is in view begins at its top.
        const before = roll.scrollTop;
        roll.scrollTop = scrolls-- === SCROLLS ? 0 : before + Math.max(20, roll.clientHeight * 0.8);
        await frameTick();
        await sleep(20);
        if (scrolls < SCROLLS - 1 && roll.scrollTop === before) scrolls = 0;
        continue;
      }
      if (now() > until) return { status: 'ok', next, option: 0, names: [...new Set(open.map((one) => cut(textOf(one), 60)))].slice(0, 20), total: open.length, taken: false };
      await sleep(30);
    }
  }
  /** Whether a drawn list shows that it has taken an option. */
  function took(args) {
    const element = elementFor(args.element);
    const option = elementFor(args.option);
    if (!element || !element.isConnected) return { status: 'ok', next, holds: true };
    const isMarked = !!option && option.isConnected && ['aria-selected', 'aria-checked'].some((name) => option.getAttribute(name) === 'true');
    let box = element;
    const shows = () => squeeze((valueOf(box, describeRole(box)) || '') + ' ' + textOf(box, SHOWN_TEXT)).toLowerCase().includes(args.wanted.toLowerCase());
    for (let height = 0; height < 4 && box && box !== document.body; height++, box = up(box)) if (shows() && !(option && option.isConnected && box.contains(option))) return { status: 'ok', next, holds: true };
    return { status: 'ok', next, holds: isMarked };
  }
  /** The options that keys and clicks can reach. */
  const openOptions = (element) => [...element.options].filter((option) => !option.disabled && !option.hidden && getComputedStyle(option).display !== 'none' &&
    !(option.parentElement.localName === 'optgroup' && option.parentElement.disabled));
  function planSelect(element, options) {
    if (element.localName !== 'select') return planDrawn(element, options);
    const all = [...element.options];
    const open = openOptions(element);
    const wanted = [];
    for (const text of options) {
      const by = [(option) => squeeze(option.label || option.text) === text || option.value === text, (option) => same(squeeze(option.label || option.text), text)];
      let hits = [];
      for (const test of by) {
        hits = all.filter(test);
        if (hits.length) break;
      }
      const free = hits.filter((option) => open.includes(option));
      const names = all.map((option) => squeeze(option.label || option.text));
      if (!hits.length) return { status: 'no_option', next, wanted: text, options: names.slice(0, 20), total: names.length };
      if (!free.length) return stopped('the option "' + text + '" is disabled');
      if (hits.length > 1 && new Set(hits.map((option) => option.value)).size > 1) return { status: 'no_option', next, wanted: text, several: true, options: hits.map((option) => squeeze(option.label || option.text) + ' (value ' + option.value + ')'), total: hits.length };
      wanted.push(free[0]);
    }
    const list = element.multiple || element.size > 1;
    if (!element.multiple && wanted.length > 1) return { status: 'bad_value', next, message: 'expected one option, found ' + wanted.length + ': this list takes a single choice' };
    return { list, indexes: wanted.map((option) => option.index), from: open.indexOf(all[element.selectedIndex]), to: wanted.map((option) => open.indexOf(option)), expected: wanted.map((option) => squeeze(option.label || option.text)).join(', '),
      chosen: wanted.every((option) => option.selected) && element.selectedOptions.length === wanted.length };
  }
  /** A point to click on one option of an open list. */
  function optionPoint(args) {
    const element = elementFor(args.element);
    if (!element) return stopped('it is no longer on the page');
    const option = openOptions(element)[args.index];
    option.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const box = option.getBoundingClientRect();
    guard = { allowed: [element], keys: false, received: [], blocked: null };
    return { status: 'ready', next, x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

