// What assay knows of a page: the element map, accessible roles and names, refs and signatures,
// selectors, actionability with a guard during real input, and what changed. Plain JavaScript for
// every engine; runs in an isolated world where the engine has one, when it is first asked: what must be there
// before any script of the page is in early.js, which gives us the rest of its tools.
(early) => {
  'use strict';
  const { channel, marked, now, sleep, frameTick, styled, observe, mutationCount, KEYS, listen, afterEvent, quiet, LOUD } = early;

  // ---- what is heard -------------------------------------------------------------------------------

  // Values change without mutations; these events tell.
  let inputs = 0;
  function onInput(event) {
    inputs++;
    // A choice that is moved by keys passes others on its way. Only where it ends is the page's business.
    const until = guard && guard.until;
    if (until && event.target === until.element && until.element.selectedIndex !== until.index) event.stopImmediatePropagation();
  }

