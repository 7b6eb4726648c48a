  // ---- the guard: while real input is on its way, only the chosen element may receive it --------------

  let guard = null;
  /** How long the rest of a press may take after its first event was blocked. */
  const PRESS_REST = 150;
  /** The control to which the element's label passes a click. */
  function controlOf(element) {
    const label = element.closest('label');
    return label && label.control;
  }
  /** Returns true if it blocked the event. */
  function onGuarded(event) {
    if (!guard || !event.isTrusted) return false;
    const keys = KEYS.includes(event.type);
    if (guard.keys !== keys) return false;
    const path = event.composedPath();
    if (guard.allowed.some((element) => path.includes(element))) {
      guard.received.push(event.type);
      if (guard.last === 'click' && event.type !== 'click') guard.press = { event, url: location.href, title: document.title, requests: requestsMade() };
      if (guard.arrived && event.type === guard.last) {
        // The page may stop the event before it reaches our last listener.
        if (event.type === 'input') setTimeout(guard.arrived, 0);
        else guard.arrived();
      }
      return false;
    }
    // A label passes its click on to its control; this second click is a consequence of the first.
    if (event.type === 'click' && guard.received.includes('click') && (event.detail === 0 || guard.allowed.some((element) => controlOf(element) === path[0]))) return false;
    // These two events follow input that has already taken effect.
    if (event.type === 'keyup' || event.type === 'input') return false;
    // The press has done it, and the page may wait for its end. The click after it would hit something else.
    if (guard.deed && (event.type === 'pointerup' || event.type === 'mouseup')) {
      guard.released = event.type === 'mouseup';
      if (guard.released && guard.arrived) guard.arrived();
      return false;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    const target = path[0] && path[0].nodeType === 1 ? path[0] : document.documentElement;
    if (!guard.blocked) guard.blocked = { type: event.type, element: target };
    // The rest of a press is still on its way and must be blocked too. It may end without a click.
    guard.over = guard.over || guard.keys || event.type === guard.last;
    if (guard.arrived && guard.over) guard.arrived();
    else if (guard.arrived) setTimeout(guard.arrived, PRESS_REST);
    return true;
  }
  const requestsMade = () => Number(channel.getAttribute('requests'));
  // Lists often choose on the press and are gone before the click. The browser tells of changes after each listener, so
  // changes during the event are the work of its listeners; a redrawing at the same time is not.
  function onMutated() {
    const press = guard && guard.press;
    if (!press || guard.deed || press.event.eventPhase === 0 || !watching || hitsAt(guard.allowed, ...guard.spot).ok) return;
    guard.press = null;
    if (didItsDeed(acted, press)) guard.deed = press.event.type;
    else guard.press = press;
  }
  /** Whether the page shows what a press on this element was for, and not only that the element is gone. */
  function didItsDeed(element, press) {
    if (location.href !== press.url || document.title !== press.title || requestsMade() > press.requests) return true;
    const role = roleOf(element);
    const { entries } = watching.before;
    const news = newsSince(entries, fresh());
    if (role !== 'option') return news.length > 0;
    // A list may close without choosing: what was chosen must be seen somewhere.
    const known = entries.find((entry) => entry.element === element);
    const name = (known ? known.name : squeeze(element.textContent)).toLowerCase();
    const says = (text) => !!text && (compact(name) ? compact(text).includes(compact(name)) : text.toLowerCase().includes(name));
    return news.some((entry) => says(entry.name) || says(entry.value)) || holdersOf(element).some((holder) => says(valueOf(holder, roleOf(holder)) ?? textOf(holder, SHOWN_TEXT)));
  }
  /** The controls that show the choice of a list, but not one whose text was typed. */
  function holdersOf(option) {
    const list = option.closest('[role=listbox][id],[role=menu][id],[role=tree][id]');
    const by = list ? [...list.getRootNode().querySelectorAll('[aria-controls~="' + CSS.escape(list.id) + '"],[aria-owns~="' + CSS.escape(list.id) + '"]')] : [];
    const holder = focused();
    if (holder && EDITABLE.has(roleOf(holder))) by.push(holder);
    return by.filter((element) => typed.get(element) === undefined || typed.get(element) !== element.value);
  }
  /** The last listener for a click: records whether the page stopped the browser from following a link. */
  function onClicked(event) {
    if (guard && event.isTrusted) guard.prevented = event.defaultPrevented;
  }
  function onTyped(event) {
    if (guard && guard.arrived && guard.last === 'input' && event.isTrusted) guard.arrived(true);
  }
  let hush = null;
  /** Values typed by the user, as they were at that moment: they are not the page's own text. */
  const typed = new WeakMap();
  function onHushed(event) {
    if (!event.isTrusted) return;
    if (event.type === 'input') typed.set(event.composedPath()[0], event.composedPath()[0].value);
    if (hush) hush(event);
  }
  early.hear({ onInput, onGuarded, onClicked, onTyped, onHushed, onMutated });
  function shield(args) {
    listen();
    guard = { allowed: [], keys: !!args.keys, received: [], blocked: null };
    return { status: 'ok', next };
  }

