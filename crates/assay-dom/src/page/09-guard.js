  // ---- the guard: while real input is on its way, only the chosen element may receive it --------------

  let guard = null;
  /** What a click on the element is passed on to by its label. */
  function controlOf(element) {
    const label = element.closest('label');
    return label && label.control;
  }
  /** True when the event was held back. */
  function onGuarded(event) {
    if (!guard || !event.isTrusted) return false;
    const keys = KEYS.includes(event.type);
    if (guard.keys !== keys) return false;
    const path = event.composedPath();
    if (guard.allowed.some((element) => path.includes(element))) {
      guard.received.push(event.type);
      if (guard.arrived && event.type === guard.last) {
        // A page may keep the event from going on to where we would hear of it last.
        if (event.type === 'input') setTimeout(guard.arrived, 0);
        else guard.arrived();
      }
      return false;
    }
    // A label passes its click on to its control; that second click is the first one's consequence.
    if (event.type === 'click' && guard.received.includes('click') && (event.detail === 0 || guard.allowed.some((element) => controlOf(element) === path[0]))) return false;
    // These come after the fact.
    if (event.type === 'keyup' || event.type === 'input') return false;
    event.preventDefault();
    event.stopImmediatePropagation();
    const target = path[0] && path[0].nodeType === 1 ? path[0] : document.documentElement;
    if (!guard.blocked) guard.blocked = { type: event.type, element: target };
    if (guard.arrived) guard.arrived();
    return true;
  }
  /** The last to hear of a click: whether the page kept the browser from following a link. */
  function onClicked(event) {
    if (guard && event.isTrusted) guard.prevented = event.defaultPrevented;
  }
  function onTyped(event) {
    if (guard && guard.arrived && guard.last === 'input' && event.isTrusted) guard.arrived(true);
  }
  let hush = null;
  /** What a user has typed, as it was then: that is not what the page itself shows. */
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

