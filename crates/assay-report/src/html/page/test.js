// One test: why it is red, then its road step by step.

const PART_WORDS = { precondition: "Preconditions", setup: "Setup", step: "Steps", expected: "Expected", teardown: "Teardown" };

function testPage(test, attemptNumber) {
  const chosen = test.attempts.findIndex((attempt) => String(attempt.number) === attemptNumber);
  const attempt = chosen >= 0 ? test.attempts[chosen] : lastAttempt(test);
  return [
    h("p.ways", null, h("a", { href: "#" }, "← Overview"), nextRed(test)),
    h("h1.test-head", null, test.name || test.id),
    why(test, attempt),
    h("dl.facts.test-facts", null, fact("Test", h("code", null, test.id)), fact("File", test.file && h("span", { title: test.file }, fileName(test.file))), fact("Browser", test.browser),
        fact("Duration", duration(test.duration_ms)), fact("Started", attempt && moment(attempt.started)), fact("Worker", attempt && run.workers > 1 && String(attempt.worker + 1)),
        fact("Tags", test.tags.join(", ")), fact("Requirements", test.requirements.join(", "))),
    proofOf(test.proof),
    test.attempts.length > 1 && attemptTabs(test, attempt),
    attempt && film(attempt),
    attempt && timeline(attempt, causeOf(test, attempt), attempt !== lastAttempt(test)),
    attempt && attempt.notes.length > 0 && h("section.group", null, h("h2", null, "Notes"), h("ul.notes", null, attempt.notes.map((note) => h("li", null, note)))),
    attempt && attempt.page && lastPage(attempt.page),
  ];
}

/** Whoever has read why one is red goes on with the next. */
function nextRed(test) {
  const red = shown.filter(isRed);
  const next = red[red.indexOf(test) + 1];
  return isRed(test) && next ? h("a.next", { href: address(next) }, h("span", null, "Next red: "), next.name || next.id, " →") : null;
}

const PROOF_WORDS = { proved: "Proved: the test caught every fault", hollow: "Hollow: the test stays green although something is broken", open: "Not proved" };
const FAULT_WORDS = { caught: "caught", missed: "missed", void: "not counted" };

/** What was broken on purpose, and what the test made of it. */
function proofOf(proof) {
  if (!proof) return null;
  return h("section.group.proof", null,
    h("h2", null, "Proof ", proof.counted > 0 && h("span.count", null, `${proof.caught} of ${proof.counted}`)),
    h(`p.${proof.judgement === "proved" ? "meaning" : "warning"}`, null, proof.hollow ? `Hollow: ${proof.hollow}` : proof.void ? `Not proved: ${proof.void}` : PROOF_WORDS[proof.judgement]),
    h("ul.faults", null, proof.faults.map((fault) => h(`li.fault-${fault.outcome}`, null,
      h("strong", null, FAULT_WORDS[fault.outcome]), " ", fault.fault,
      h("span.quiet-text", null, fault.at && ` at “${fault.at}”`),
      fault.outcome === "missed" && h("p", null, fault.claim ? `“${fault.claim}” should have caught it.` : "No later expectation could catch it."),
      fault.outcome !== "missed" && fault.reason && h("p.quiet-text", null, fault.reason)))),
    proof.left_out.length > 0 && h("p.quiet-text", null, `Left out: ${proof.left_out.join("; ")}`));
}

function fact(label, value) {
  return value ? h("div", null, h("dt", null, label), h("dd", null, value)) : null;
}

/** The answer first: the verdict, the class with its evidence, what was expected and found, the picture. */
function why(test, attempt) {
  const status = shownStatus(test);
  const step = decisiveStep(attempt);
  const judgement = step && [...step.judgements].reverse().find((it) => it.verdict === step.status);
  const cause = causeOf(test, attempt);
  const picture = isRed(test) ? lastPicture(attempt) : undefined;
  const standing = attempt ? attempt.steps.flatMap((it) => it.judgements).filter((it) => it.standing && !it.may_stand) : [];
  return h(`section.why.why-${status}`, { "aria-label": "The result" },
    h("div.why-text", null,
      h("p.verdict", null, mark(status), h("strong", null, STATUS_WORDS[status]), classBadge(test.triage)),
      test.reason && h("p.headline", null, ticked(test.reason)),
      isRed(test) && test.requirements.length > 0 && h("p.evidence", null, test.requirements.length === 1 ? "Requirement: " : "Requirements: ", h("strong", null, test.requirements.join(", "))),
      test.triage && h("p.evidence", null, !test.triage.sure && h("em", null, "Probably: "), ticked(test.triage.evidence)),
      judgement && comparison(judgement.expected, judgement.found),
      isRed(test) && lastAct(attempt),
      isRed(test) && attempt && attempt.page && troubles(attempt.page),
      test.no_expectation && h("p.warning", null, "No expectation: the test shows only that its steps could be carried out."),
      standing.map((it) => h("p.warning", null, `“${it.claim}” was already true before the action that should cause it, so it proves nothing.`)),
      isRed(test) && h("p.buttons", null,
        cause && h("button.first", { type: "button", onclick: () => goToStep(test.triage.step) }, `Go to where it started: ${cause.place}`),
        step && h("button", { type: "button", onclick: () => goToStep(attempt.decisive) }, `Go to ${step.place}`),
        h("button", { type: "button", onclick: (event) => copy(event.currentTarget, bugReport(test, attempt)) }, "Copy for a bug report"))),
    picture !== undefined && thumbnail(attempt, "end", picture, endBoxes(attempt, picture), "The page at the end", "the page at the end"));
}

/** More of what an act changed is found at its step. */
const TOLD_OF_LAST_ACT = 3;

/** What was done last before a claim turned out otherwise, and what came of it. */
function lastAct(attempt) {
  const decisive = decisiveStep(attempt);
  if (!decisive || decisive.commands.length) return null;
  const before = attempt.steps.slice(0, attempt.decisive);
  const number = before.findLastIndex((step) => step.commands.length);
  if (number < 0) return null;
  const { place, text, commands } = attempt.steps[number];
  const { outcome } = commands[commands.length - 1];
  const changes = outcome.split("\n").filter((line) => /^([+~-]|→) /.test(line)).slice(0, TOLD_OF_LAST_ACT)
    // Refs are for those who type commands.
    .map((line) => line.replace(/^(.) e\d+ /, "$1 "));
  return h("div.last-act", null,
    h("p", null, h("span.label", null, `Last action, ${place}: `), text),
    changes.length > 0 && h("div.effect", null, changes.map((line) => h(`p${effectClass(line)}`, null, line))));
}

/** What the page at the end is to be looked at for: what the decisive claim was judged by, or the target of an act that failed. */
function endBoxes(attempt, picture) {
  const step = decisiveStep(attempt);
  const boxes = evidenceOf(step);
  const failed = step && step.commands.findLast((command) => !command.ok && command.before === picture);
  return boxes.length || !failed ? boxes : aimOn(failed, "before");
}

/** What the scripts of the last page complained of, and what it did not get: the likeliest reason of all. */
function troubles({ failed_requests: requests, console_errors: errors }) {
  if (!requests.length && !errors.length) return null;
  return h("ul.alarm", { "aria-label": "Console and network" },
    requests.map((request) => h("li", null, h("strong", null, request.why), ` ${request.method} ${request.url}`)),
    errors.map((line) => h("li", null, h("strong", null, "console"), ` ${line}`)));
}

/** The step at which it began to go wrong, where that is not the one at which it ended. */
function causeOf(test, attempt) {
  const number = test.triage && isRed(test) && attempt === lastAttempt(test) ? test.triage.step : null;
  return number !== null && attempt && number !== attempt.decisive ? attempt.steps[number] : undefined;
}

function goToStep(number) {
  const item = byId(`step-${number}`);
  item.querySelector("details").open = true;
  item.querySelector("summary").focus({ preventScroll: true });
  item.scrollIntoView({ block: "start" });
}

function attemptTabs(test, current) {
  return h("nav.attempts", { "aria-label": "Attempts" }, test.attempts.map((attempt) =>
    h("a", { href: address(test, attempt.number), "aria-current": attempt === current ? "true" : false },
      mark(attempt.status), `Attempt ${attempt.number}`, h("span.time", null, duration(attempt.duration_ms)))));
}

/** All pictures in a row. */
function film(attempt) {
  const frames = filmOf(attempt);
  if (frames.length < 2) return null;
  return h("section.group", null, h("h2", null, "Filmstrip ", h("span.count", null, frames.length)),
    h("ol.film", { tabindex: "0", "aria-label": "Screenshots in order" }, frames.map((frame, number) => h("li", null, thumbnail(attempt, frame.keys[0], frame.picture, frame.boxes, frame.place, `${number + 1}, ${frame.label}`)))));
}

function timeline(attempt, cause, isEarlier) {
  const told = attempt.steps.map((step, number) => [step, number]).filter(([step]) => step.text || step.commands.length || step.status !== "not-run");
  if (!told.length) return h("section.group", null, h("h2", null, "What happened"), h("p.quiet-text", null, "The test ended before its first step."));
  const longest = Math.max(1, ...told.map(([step]) => step.duration_ms));
  const parts = [];
  for (const [step, number] of told) {
    if (!parts.length || parts[parts.length - 1].part !== step.part) parts.push({ part: step.part, items: [] });
    parts[parts.length - 1].items.push(stepItem(attempt, number, longest, step === cause));
  }
  const all = h("section.group.timeline", null,
    h("div.group-head", null, h("h2", null, "What happened"),
      h("button.quiet", { type: "button", onclick: () => openAll(all) }, "Expand or collapse all")),
    isEarlier && attempt.reason && h("p.reason", null, ticked(attempt.reason)),
    parts.map(({ part, items }) => [parts.length > 1 || part !== "step" ? h("h3", null, PART_WORDS[part]) : null, h("ol.steps", null, items)]));
  return all;
}

function openAll(within) {
  const all = [...within.querySelectorAll("details")];
  const open = all.some((details) => !details.open);
  all.forEach((details) => { details.open = open; });
}

function lastPage(page) {
  return h("section.group", null, h("h2", null, "The last page"),
    page.url && h("p.address", null, h("code", null, page.url)),
    page.text && h("details", null, h("summary", null, "Page text"), h("pre", { tabindex: "0" }, page.text, page.cut ? "\n…" : "")));
}

async function copy(button, text) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    // Pages from disk may not be allowed to: then the text is shown, to be copied by hand.
    const area = h("textarea", { readonly: true, rows: "12", "aria-label": "Text for a bug report" });
    area.value = text;
    button.closest(".why-text").append(area);
    area.select();
    return;
  }
  setTimeout(() => { button.textContent = before; }, 2000);
}

/** What somebody who fixes it needs, as plain text. */
function bugReport(test, attempt) {
  const lines = [`# ${test.name || test.id}`, "", `${STATUS_WORDS[test.status]}: ${test.reason}`];
  if (test.triage) lines.push(`${test.triage.sure ? "" : "probably "}${CLASS_WORDS[test.triage.class].toLowerCase()}: ${test.triage.evidence}`);
  lines.push("", `Test: ${test.id} (${test.file})`, `Browser: ${test.browser}`);
  if (attempt) {
    lines.push(`Started: ${attempt.started}`, "", "Steps:");
    for (const step of attempt.steps) {
      if (step.text) lines.push(`- ${step.place}: ${step.text} → ${STATUS_WORDS[step.status]}`);
      for (const command of step.commands) {
        for (const request of command.failed_requests) lines.push(`  - failed request: ${request.method} ${request.url}: ${request.why}`);
        for (const line of command.console_errors) lines.push(`  - console error: ${line}`);
      }
      for (const judgement of step.judgements.filter((it) => it.verdict !== "passed")) {
        if (judgement.expected !== undefined) lines.push(`  - expected: ${judgement.expected}`);
        if (judgement.found !== undefined) lines.push(`  - found: ${judgement.found}`);
      }
    }
    if (attempt.page && attempt.page.url) lines.push("", `Page: ${attempt.page.url}`);
  }
  return lines.join("\n");
}
