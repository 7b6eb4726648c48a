// The first page: how it went, and why each red one is red.

/** As many of a class as are shown at once. */
const SHOWN_OF_CLASS = 25;

function headline() {
  const red = tests.filter(isRed).length;
  if (!tests.length) return "No tests ran";
  if (red === 0) return tests.length === 1 ? "The test passed" : `All ${tests.length} tests passed`;
  return red === tests.length ? `No test passed` : `${red} of ${tests.length} tests did not pass`;
}

function overview() {
  return [
    h("section.hero", { "aria-labelledby": "headline" },
      h("h1", { id: "headline" }, headline()),
      warning(),
      run.proofs && h("p.proofs", null, `Proof: ${run.proofs}`),
      run.models && h("p.proofs", null, `Models: ${run.models}`),
      bar(),
      h("ul.tiles", { "aria-label": "Show only" }, STATUSES.filter(([name]) => counts[name]).map(([name, label]) =>
        h("li", null, h(`button.tile.tile-${name}`, { type: "button", onclick: () => only({ statuses: new Set([name]) }) },
          h("strong", null, counts[name]), h("span", null, label)))))),
    rejected(),
    CLASSES.map(ofClass),
    programs(),
    healed(),
    slowest(),
  ];
}

function warning() {
  if (run.interrupted) return h("p.warning", null, "The run was interrupted: anything not shown here was not tested.");
  if (!run.finished) return h("p.warning", null, "The record of this run breaks off before its end: anything not shown here is unknown.");
  return null;
}

function bar() {
  const parts = STATUSES.filter(([name]) => counts[name]);
  const label = parts.map(([name, word]) => `${counts[name]} ${word}`).join(", ");
  return h("div.bar", { role: "img", "aria-label": label }, [...parts].reverse().map(([name]) => {
    const part = h(`span.fill-${name}`);
    part.style.flexGrow = counts[name];
    return part;
  }));
}

function rejected() {
  if (!run.rejected.length) return null;
  return h("section.group", null,
    h("h2", null, "Rejected files ", h("span.count", null, run.rejected.length)),
    h("p.meaning", null, "These files could not be read, so their tests did not run."),
    h("ul.cards", null, run.rejected.map((file) => h("li.card.plain", null, h("h3", null, file.file), h("pre", { tabindex: "0" }, file.message)))));
}

function ofClass([name, label, meaning]) {
  const all = tests.filter((test) => test.triage && test.triage.class === name);
  if (!all.length) return null;
  return h(`section.group.group-${name}`, null,
    h("h2", null, `${label} `, h("span.count", null, all.length)),
    h("p.meaning", null, meaning),
    h("ul.cards", null, all.slice(0, SHOWN_OF_CLASS).map(card)),
    all.length > SHOWN_OF_CLASS && h("button.more", { type: "button", onclick: () => only({ class: name }) }, `Show all ${all.length} in the list`));
}

/** Red scripts: what a program means by its exit code, only its author knows. */
function programs() {
  const all = tests.filter((test) => isRed(test) && !test.triage);
  if (!all.length) return null;
  return h("section.group", null,
    h("h2", null, "Scripts ", h("span.count", null, all.length)),
    h("p.meaning", null, "Programs that did not end well. Their output is in the folder of the run."),
    h("ul.cards", null, all.map(card)));
}

/** The name of a test, which leads to it; and its browser, where there were several. */
const named = (test) => [h("a", { href: address(test) }, test.name || test.id), inBrowser(test)];

/** One red test, with all that is needed to know whether it is one's own. */
function card(test) {
  const attempt = lastAttempt(test);
  const step = decisiveStep(attempt);
  const picture = lastPicture(attempt);
  return h(picture === undefined ? "li.card.plain" : "li.card", null,
    picture !== undefined && h("a.shot", { href: address(test), tabindex: "-1", "aria-hidden": "true" }, framed(picture, endBoxes(attempt, picture), "")),
    h("div.card-text", null,
      h("h3", null, mark(shownStatus(test)), named(test)),
      test.reason && h("p.reason", null, ticked(test.reason)),
      test.requirements.length > 0 && h("p.evidence", null, h("strong", null, test.requirements.length === 1 ? "Requirement:" : "Requirements:"), " ", test.requirements.join(", ")),
      test.triage && h("p.evidence", null, !test.triage.sure && h("em", null, "Probably: "), ticked(test.triage.evidence)),
      step && step.text && h("p.where", null, h("span", null, `${step.place}: `), step.text)));
}

/** Green ones whose pages are no longer as their locks describe them: somebody has to say whether that is right. */
function healed() {
  const all = tests.filter((test) => test.status === "passed" && healedSteps(test).length);
  if (!all.length) return null;
  return h("section.group", null,
    h("h2", null, "Healed ", h("span.count", null, all.length)),
    h("p.meaning", null, "These tests passed although elements in their lock files have changed. ", h("code", null, "assay heal"), " shows both screenshots of each change and accepts it."),
    h("ul.cards", null, all.slice(0, SHOWN_OF_CLASS).map((test) => h("li.card.plain", null, h("div.card-text", null,
      h("h3", null, mark(shownStatus(test)), named(test)),
      healedSteps(test).flatMap((step) => step.healed.map((one) => h("p.where", null, h("span", null, `${step.place}: `), one.words))))))));
}

function slowest() {
  const all = tests.filter((test) => test.duration_ms).sort((one, two) => two.duration_ms - one.duration_ms).slice(0, 5);
  if (all.length < 2) return null;
  return h("section.group", null,
    h("h2", null, "Slowest"),
    h("ol.slowest", null, all.map((test) => {
      const length = h("span.length", { "aria-hidden": "true" });
      length.style.width = `${Math.max(1, (100 * test.duration_ms) / all[0].duration_ms)}%`;
      return h("li", null, h("span", null, named(test)), h("span.time", null, duration(test.duration_ms)), length);
    })));
}
