// Everything assay knows about a page: the element map, accessible roles and names, refs and signatures,
// selectors, actionability with a guard during real input, and the changes after an act. Plain JavaScript
// for every engine. It runs on first use, in an isolated world if the engine has one. Code that must run
// before any script of the page is in early.js, which also passes its tools to this script.
(early) => {
  'use strict';
  const { channel, marked, now, sleep, frameTick, styled, observe, mutationCount, KEYS, listen, afterEvent, quiet, LOUD, signs, LOADING } = early;

  // ---- input events --------------------------------------------------------------------------------

  // Values change without mutations; these events report it.
  let inputs = 0;
  function onInput(event) {
    inputs++;
    // Keys move a choice past other options. The page must only see the final one.
    const until = guard && guard.until;
    if (until && event.target === until.element && until.element.selectedIndex !== until.index) event.stopImmediatePropagation();
  }

