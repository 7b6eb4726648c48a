  // ---- the guard: while real input is on its way, only the chosen element may receive it --------------

  let guard = null;
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
    event.preventDefault();
    event.stopImmediatePropagation();
    const target = path[0] && path[0].nodeType === 1 ? path[0] : document.documentElement;
    if (!guard.blocked) guard.blocked = { type: event.type, element: target };
    if (guard.arrived) guard.arrived();
    return true;
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
  early.hear({ onInput, onGuarded, onClicked, onTyped, onHushed });
  function shield(args) {
    listen();
    guard = { allowed: [], keys: !!args.keys, received: [], blocked: null };
    return { status: 'ok', next };
  }

