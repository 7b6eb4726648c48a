// Turns of models: what was answered, what was done about it, what became of that, and the page at that moment.

const OUTCOME_WORDS = { done: "done", failed: "failed", refused: "refused", stopped: "stopped the step" };

function turnList(attempt, number) {
  const step = attempt.steps[number];
  if (!step.turns.length) return null;
  return labelled(`Models: ${step.spent}`,
    h("ol.turns.plain-list", null, step.turns.map((turn, order) => turnItem(attempt, number, order))),
    run.turns && h("p.quiet-text.turn-file", null, "As data: ", h("a", { href: run.turns }, "turns.jsonl")));
}

function turnItem(attempt, number, order) {
  const turn = attempt.steps[number].turns[order];
  const bad = turn.failure || turn.told || turn.acts.some((act) => act.outcome !== "done");
  return h(`li.turn${bad ? ".turn-bad" : ""}`, null,
    h("p.turn-head", null, h("strong", null, `Turn ${order + 1}`), h("span.pilot", null, turn.guest), h("span.turn-model", null, turn.model),
      h("span.time", null, `answered in ${duration(turn.latency_ms)}`)),
    h("div.turn-columns", null,
      h("div.turn-words", null,
        turn.failure ? h("p.alarm", null, h("strong", null, "No answer "), turn.failure) : answered(turn.answer),
        turn.acts.map(actItem),
        turn.told && h("p.reason.turn-told", null, h("span", null, "not accepted: "), ticked(turn.told)),
        !turn.is_over && h("p.warning", null, "The run was cut off, so what followed this answer is unknown."),
        turn.safety.filter((event) => !turn.acts.some((act) => act.code === event.code)).map((event) => h("p.alarm", null, h("strong", null, event.code), ` ${event.message}`)),
        turnFacts(turn)),
      turnPicture(attempt, number, order)));
}

/** The answer in words where it is one call, else as it came. */
function answered(text) {
  const [, name, given] = /^([a-z_]+) (\{.*\})$/s.exec(text) || [];
  const said = name && fieldsOf(given);
  if (!said) return text ? h("p.turn-answer", null, h("span", null, "answered "), h("code", null, text)) : null;
  return h("p.turn-answer", null, h("span", null, "answered "), h("code", null, name), said.flatMap(([field, value]) => [" ", h("span", null, `${field} `), h("code", null, value)]));
}

/** The fields of a call, each as text; nothing where the call is cut short. */
function fieldsOf(given) {
  try {
    return Object.entries(JSON.parse(given)).map(([field, value]) => [field, typeof value === "string" ? value : JSON.stringify(value)]);
  } catch {
    return null;
  }
}

function actItem(act) {
  const done = act.outcome === "done";
  return h(`div.act.act-${act.outcome}`, null,
    h("p.act-line", null, mark(done ? "passed" : act.outcome === "failed" ? "failed" : "inconclusive"), h("strong", null, act.label), h("span", null, OUTCOME_WORDS[act.outcome] || act.outcome), act.code && h("span.badge.bad", null, act.code), h("span.time", null, duration(act.duration_ms))),
    act.told && (done ? h("div.effect", { role: "group", "aria-label": "Effect" }, act.told.split("\n").map((line) => h(`p${effectClass(line)}`, null, line))) : h("p.reason", null, ticked(act.told))));
}

function turnFacts(turn) {
  return h("dl.facts.turn-facts", null, fact("Used", turn.usage), fact("Answer", turn.answer_id && h("code", null, turn.answer_id)), fact("Request", turn.request_id && h("code", null, turn.request_id)),
    turn.lines.length > 0 && fact("Details", turn.lines.join("; ")));
}

function turnPicture(attempt, number, order) {
  const turn = attempt.steps[number].turns[order];
  if (turn.picture === null) return turn.no_picture ? h("p.quiet-text.turn-shot", null, `No screenshot: ${turn.no_picture}.`) : null;
  const aims = turnAims(turn);
  return h("div.turn-shot", null,
    thumbnail(attempt, `${number}.turn${order}`, turn.picture, aims, aims.length ? "The page, with the target marked" : "The page at this turn", `the page at turn ${order + 1}`),
    turn.marked && h("p.quiet-text", null, h("a", { href: turn.marked }, `turn_${order + 1}.png`)));
}

function turnAims(turn) {
  return turn.acts.filter((act) => act.target).map((act) => ({ mark: act.target, kind: act.outcome === "done" ? "aim" : "failed" }));
}
