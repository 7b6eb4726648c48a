// One step: what was done and why, what it changed, and what was claimed and found.

const RETRY_WORDS = {
  "map-refreshed": "Looked at the page again",
  "signature-tried": "Looked for the same element by its signature",
  replanned: "Asked for an alternative",
  "given-up": "Gave up",
};
const GUEST_WORDS = { done: "carried it out", refused: "was not sure either", stopped: "was stopped", broken: "could not be reached" };
const TIER_WORDS = { 1: "Looked again", 2: "Something was in the way", 3: "Looked closer" };

/** What a green step can hide: trouble on the way, or a claim that was true before. */
function warningOf(step) {
  const trouble = step.retries.length > 0 || step.recovered.length > 0 || Boolean(step.under_way)
    || step.commands.some((command) => !command.ok || command.failed_requests.length || command.console_errors.length);
  if (trouble) return "trouble";
  if (step.healed.length) return "healed";
  return step.judgements.some((judgement) => judgement.standing && !judgement.may_stand) ? "standing" : "";
}

function stepItem(attempt, number, longest, isCause) {
  const step = attempt.steps[number];
  const decisive = attempt.decisive === number;
  const red = step.status !== "passed";
  const length = h("span.length", { "aria-hidden": "true" });
  length.style.width = `${Math.max(1, (100 * step.duration_ms) / longest)}%`;
  const body = h("div.step-body");
  const details = h("details", { open: red || decisive || isCause },
    h("summary", null,
      mark(step.status),
      h("span.step-text", null, h("span.place", null, step.place), " ", step.text || "(no text)"),
      pilotPill(step),
      isCause ? h("span.badge.bad", null, "started here") : !red && warningOf(step) && h("span.badge.trouble", null, warningOf(step)),
      h("span.time", null, duration(step.duration_ms)),
      length),
    body);
  // What is closed is not drawn before it is opened.
  const fill = () => {
    if (details.open && !body.childNodes.length) body.append(...stepBody(attempt, number).filter(Boolean));
  };
  details.addEventListener("toggle", fill);
  fill();
  return h(`li.step.step-${step.status}${decisive ? ".decisive" : ""}${isCause ? ".cause" : ""}`, { id: `step-${number}` }, details);
}

function stepBody(attempt, number) {
  const step = attempt.steps[number];
  const nothing = !step.commands.length && !step.judgements.length && !step.reason && !step.notes.length && !step.healed.length && !step.under_way;
  return [
    step.reason && !isSaid(step) && h("p.reason", null, ticked(step.reason)),
    ...step.judgements.map((judgement) => judgementItem(judgement, step)),
    step.commands.length ? null : claimPictures(attempt, number),
    ...step.commands.map((command, order) => commandItem(attempt, number, order)),
    step.commands.length && step.judgements.length ? claimPictures(attempt, number) : null,
    step.under_way && h("p.alarm", null, "Started, but its result was not recorded: ", h("code", null, step.under_way)),
    step.retries.length > 0 && labelled("Retries", h("ul", null, step.retries.map(([retry, reason]) => h("li", null, `${RETRY_WORDS[retry] || retry}: ${reason}`)))),
    step.recovered.length > 0 && labelled("Recovered", h("ul", null, step.recovered.map((way) => h("li", null, `${TIER_WORDS[way.tier] || "Recovered"} (tier ${way.tier}): ${way.reason}`)))),
    step.healed.length > 0 && labelled("Healed", h("ul", null, step.healed.map((one) => h("li", null, one.words, h("dl.facts", null, fact("Confidence", one.sure), fact("Why", one.because), fact("Recorded effect", one.recorded), fact("Effect now", one.effect)))))),
    step.guests.length > 0 && labelled("Asked for help", h("ul", null, step.guests.map((guest) => h("li", null, h("span.pilot", null, guest.guest), ` ${GUEST_WORDS[guest.ending] || guest.ending}`, guest.degraded && h("span.badge.trouble", null, "degraded"), guest.message && `: ${guest.message}`, (guest.safety || []).map((event) => h("p.alarm", null, h("strong", null, event.code), ` ${event.message}`)))))),
    turnList(attempt, number),
    step.notes.length > 0 && labelled("Notes", h("ul", null, step.notes.map((note) => h("li", null, note)))),
    nothing && h("p.quiet-text", null, "No details were recorded for this step."),
  ];
}

/** Whether a claim or a command of the step gives its reason already. */
function isSaid(step) {
  return step.judgements.some((judgement) => judgement.claim && judgement.reason === step.reason) || step.commands.some((command) => command.outcome === step.reason);
}

function labelled(label, ...content) {
  return h("div.labelled", null, h("p.label", null, label), content);
}

function commandItem(attempt, number, order) {
  const command = attempt.steps[number].commands[order];
  const requests = command.failed_requests;
  const errors = command.console_errors;
  return h(`div.command${command.ok ? "" : ".failed"}`, null,
    h("p.command-line", null, h("code", null, command.command), h("span.pilot", null, command.pilot),
      command.commits && h("span.badge.commits", { title: "submits, pays or deletes: never repeated silently" }, "commits"),
      !command.ok && h("span.badge.bad", null, command.code || "not done"), h("span.time", null, duration(command.duration_ms))),
    command.because && h("p.because", null, h("span", null, "because "), ticked(command.because)),
    command.score !== null && h("p.because.score", null, h("span", null, "score "), h("strong", null, command.score.toFixed(2)), leadWords(command)),
    command.outcome && h("div.effect", { role: "group", "aria-label": "Effect" }, command.outcome.split("\n").map((line) => h(`p${effectClass(line)}`, null, line))),
    beforeAndAfter(attempt, number, order),
    command.url && h("p.because", null, h("span", null, "address "), command.url),
    command.requests.length > 0 && h("p.because", null, h("span", null, "network "), command.requests.flatMap((request) => [h("code", null, request), " "])),
    requests.length > 0 && h("ul.alarm", { "aria-label": "Failed requests" }, requests.map((request) => h("li", null, h("strong", null, request.why), ` ${request.method} ${request.url}`))),
    errors.length > 0 && h("ul.alarm", { "aria-label": "Console errors" }, errors.map((line) => h("li", null, h("strong", null, "console"), ` ${line}`))));
}

/** Who chose the action, and the score of the choice that was least sure. */
function pilotPill({ commands }) {
  if (!commands.length) return null;
  const scores = commands.map((command) => command.score).filter((score) => score !== null);
  const least = scores.length ? ` ${Math.min(...scores).toFixed(2)}` : "";
  return h("span.pilot", { title: `who chose the action${least && ", and how well the element matches the sentence, from 0 to 1"}` }, commands[0].pilot, least && h("strong", null, least));
}

/** How far the runner-up was behind. */
function leadWords({ margin, runner_up: second }) {
  if (margin === null) return h("span", null, ", no other candidate");
  return h("span", null, margin < 0 ? `, ${(-margin).toFixed(2)} behind ` : `, ${margin.toFixed(2)} ahead of `, second || "the next best");
}

function effectClass(line) {
  return { "+": ".added", "-": ".removed", "~": ".changed" }[/^[+~-] /.test(line) ? line[0] : ""] || "";
}

function judgementItem(judgement, step) {
  const { expected, found } = judgement;
  const numbers = step.marks.length > 1 ? evidenceNumbers(step) : new Map();
  const elements = judgement.elements || [];
  // Not a claim, but an act whose target is not plain: the reason of the step tells it.
  if (!judgement.claim) return elements.length ? labelled("Candidates", h("ul.elements.plain-list", null, elements.map((element) => elementItem(element, numbers.get(element.ref))))) : null;
  return h(`div.judgement.judged-${judgement.verdict}`, null,
    h("p.claim", null, mark(judgement.verdict), judgement.claim, judgement.standing && h(`span.badge${judgement.may_stand ? "" : ".trouble"}`, { title: "already true before the action that should cause it, so it proves nothing" }, "standing")),
    judgement.reason && h("p.reason", null, ticked(judgement.reason)),
    comparison(expected, found),
    elements.length > 0 && h("ul.elements", { "aria-label": judgement.verdict === "inconclusive" ? "Candidates" : "Checked elements" }, elements.map((element) => elementItem(element, numbers.get(element.ref)))));
}

function comparison(expected, found) {
  const [hasExpected, hasFound] = [expected !== undefined, found !== undefined];
  if (!hasExpected && !hasFound) return null;
  const [one, two] = hasExpected && hasFound ? differing(expected, found) : [[expected], [found]];
  return h("dl.comparison", null,
    hasExpected && h("div.expected", null, h("dt", null, "Expected"), h("dd", null, one)),
    hasFound && h("div.found-value", null, h("dt", null, "Found"), h("dd", null, found === "" ? h("em", null, "nothing") : two)));
}

function elementItem(element, number) {
  return h("li", null, number && h("span.number", { title: "its number in the screenshot" }, number), h("span.role", null, element.role), ` “${element.name}” `, element.value !== undefined && element.value !== null && h("span", null, `holds “${element.value}” `),
    (element.states || []).length > 0 && h("span.quiet-text", null, element.states.join(", "), " "), h("code", null, element.ref));
}

/** The page before an act, with what it was aimed at, and after it. */
function beforeAndAfter(attempt, number, order) {
  const { place, commands } = attempt.steps[number];
  const command = commands[order];
  const { before, after } = command;
  const key = `${number}.${order}`;
  const [aimBefore, aimAfter] = [aimOn(command, "before"), aimOn(command, "after")];
  const same = before !== null && before === after && !aimAfter.length;
  const shown = [
    before !== null && thumbnail(attempt, `${key}.before`, before, aimBefore, same ? "Before and after: no visible change" : "Before", `the page before ${place}`),
    after !== null && !same && thumbnail(attempt, `${key}.after`, after, aimAfter, aimAfter.length ? "After, scrolled into view" : "After", `the page after ${place}`),
  ].filter(Boolean);
  return shown.length ? h("div.pictures", null, shown) : null;
}

/** The page by which the claims of a step were judged, with what was looked at. */
function claimPictures(attempt, number) {
  const step = attempt.steps[number];
  const boxes = evidenceOf(step);
  const picture = claimPicture(attempt, number);
  const isShown = step.commands.some((command) => command.before !== null || command.after !== null);
  if (picture === undefined || (isShown && !boxes.length)) return null;
  const caption = boxes.length ? (step.status === "inconclusive" ? "The page, with the candidates marked" : "The page, with the checked elements marked") : "The page at this step";
  return h("div.pictures", null, thumbnail(attempt, `${number}.claims`, picture, boxes, caption, `the page at ${step.place}`));
}
