// Each proposal so that somebody can judge it: both pictures first, then what is said of both, then the proof.

/** The part of a page that a close-up shows, in its own pixels. */
const CLOSE = { width: 420, ratio: 16 / 7 };

function headline() {
  const open = proposals.filter((proposal) => proposal.state === "open").length;
  const changes = plural(proposals.length, "change");
  if (open === 0) return `${changes}, nothing left to accept`;
  return open === proposals.length ? `${changes} to review` : `${open} of ${changes} left to review`;
}

function introduction() {
  return h("section.hero", null,
    h("h1", null, headline()),
    h("p.meaning", null, "These elements no longer match their lock files. Each one was found again, and the action had the same kind of effect as recorded. Nothing changes until you accept it."),
    proposals.some((proposal) => proposal.state === "open") && h("p.accept", null, "To accept all: ", h("code", null, "assay heal --apply"), "  To accept the changes of one test: ", h("code", null, `assay heal --apply ${shellWord(proposals[0].test)}`)),
    proposals.length > 1 && h("ol.contents", { "aria-label": "Changes" }, proposals.map((proposal, number) => h("li", null, h("a", { href: `#change-${number + 1}` }, proposal.sentence), " ", stateBadge(proposal)))));
}

function shellWord(text) {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function stateBadge({ state }) {
  return state === "open" ? null : h(`span.badge${state === "accepted" ? ".accepted" : ""}`, null, state);
}

function proposalItem(proposal, number) {
  return h("article.proposal", { id: `change-${number + 1}`, "aria-labelledby": `title-${number + 1}` },
    h("header", null,
      h("p.place", null, proposal.place, " of ", proposal.title || proposal.test, " ", stateBadge(proposal)),
      h("h2", { id: `title-${number + 1}` }, proposal.sentence),
      h("dl.facts", null, fact("Test", h("code", null, proposal.test)), fact("File", proposal.file), fact("Lock", proposal.lock), fact("Browser", proposal.browser))),
    proposal.acts && h("p.warning", null, `Recorded action: ${proposal.acts[0]}. Action now: ${proposal.acts[1]}.`),
    !proposal.elements.length && h("p.quiet-text", null, "The step is carried out differently now, and no element appears in both versions."),
    proposal.elements.map((element) => elementItem(element)),
    effects(proposal));
}

function fact(label, value) {
  return value ? h("div", null, h("dt", null, label), h("dd", null, value)) : null;
}

function elementItem(element) {
  const frames = framesOf(element);
  const width = closeWidth([element.recorded, element.found]);
  const [was, now] = differing(element.was, element.now);
  return h("section.element", { "aria-label": `${element.was}, now ${element.now}` },
    h("div.sides", null,
      side("Recorded", was, element.recorded, frames, "recorded", width),
      side("Now", now, element.found, frames, "found", width)),
    proof(element),
    signature(element));
}

/** What the viewer turns through: the same place, then and now. */
function framesOf({ recorded, found }) {
  const frame = (key, shot, label) => shot.picture !== null && { keys: [key], picture: shot.picture, boxes: boxesOf(shot), label };
  return [frame("recorded", recorded, "Recorded"), frame("found", found, "Now")].filter(Boolean);
}

/** Where the pointer went is left out: it would lie on the very words that are to be compared. */
function boxesOf({ mark }) {
  return mark ? [{ mark: { ...mark, at_x: undefined }, kind: "aim" }] : [];
}

function side(label, name, shot, frames, key, width) {
  const when = shot.run && [`run ${shot.run}`, shot.at && moment(shot.at)].filter(Boolean).join(", ");
  return h(`figure.side.side-${key}`, null,
    h("figcaption", null, h("span.label", null, label), h("strong", null, name), when && h("span.time", null, when)),
    shot.picture === null
      ? h("p.no-picture", null, shot.missing)
      : [shot.mark ? closeUp(shot, width) : h("p.no-picture", null, "The element is outside this screenshot, so it is not marked."),
        h("button.whole", { type: "button", "aria-label": `Enlarge: ${label.toLowerCase()}, the whole page`, onclick: () => openReel(frames, key) }, framed(shot.picture, boxesOf(shot), ""))]);
}

/** Both close-ups are of one scale, so that they can be compared. */
function closeWidth(shots) {
  const marks = shots.map((shot) => shot.mark).filter(Boolean);
  const needed = marks.map((mark) => Math.max(CLOSE.width, mark.width * 1.5, mark.height * 1.5 * CLOSE.ratio));
  return Math.min(...marks.map((mark) => mark.view_width), Math.max(CLOSE.width, ...needed));
}

/** The page around the element, large enough to be read. */
function closeUp(shot, width) {
  const { picture, mark } = shot;
  const height = width / CLOSE.ratio;
  const from = (middle, length, most) => Math.max(0, Math.min(most - length, middle - length / 2));
  const left = from(mark.x + mark.width / 2, width, mark.view_width);
  const top = from(mark.y + mark.height / 2, height, mark.view_height);
  const inner = framed(picture, boxesOf(shot), "");
  inner.style.width = `${(100 * mark.view_width) / width}%`;
  inner.style.left = `${(-100 * left) / width}%`;
  inner.style.top = `${(-100 * top) / height}%`;
  const outer = h("div.close-up", { "aria-hidden": "true" }, inner);
  outer.style.aspectRatio = String(CLOSE.ratio);
  return outer;
}

function proof(element) {
  if (element.score === null) return null;
  const margin = element.margin === null
    ? "no other candidate"
    : `${element.margin.toFixed(2)} ahead of ${element.runner_up || "the next best"}`;
  return h("dl.proof", null,
    h("div", null, h("dt", null, "Score"), h("dd", null, h("strong", null, element.score.toFixed(2)), meter(element.score), h("span.quiet-text", null, "similarity, from 0 to 1"))),
    h("div", null, h("dt", null, "Margin"), h("dd", null, margin)),
    h("div", null, h("dt", null, "Why this element"), h("dd", null, element.because)));
}

function meter(score) {
  const filled = h("span");
  filled.style.width = `${Math.round(100 * Math.min(1, Math.max(0, score)))}%`;
  return h("span.meter", { "aria-hidden": "true" }, filled);
}

function signature({ rows }) {
  const changed = rows.filter((row) => row.was !== row.now);
  const same = rows.filter((row) => row.was === row.now);
  return h("div.signature", null,
    changed.length > 0 && h("table", null,
      h("caption", null, "Attributes that differ"),
      h("thead", null, h("tr", null, h("td"), h("th", { scope: "col" }, "Recorded"), h("th", { scope: "col" }, "Now"))),
      h("tbody", null, changed.map(changedRow))),
    same.length > 0 && h("div.same", null, h("p.label", null, "Unchanged"),
      h("dl.facts", null, same.map((row) => fact(row.label, row.was)))));
}

function changedRow(row) {
  const [was, now] = differing(row.was, row.now);
  const said = (text, parts) => (text === "" ? h("em", null, "none") : parts);
  return h("tr.changed", null, h("th", { scope: "row" }, row.label), h("td.was", null, said(row.was, was)), h("td.now", null, said(row.now, now)));
}

function effects({ recorded, effect }) {
  const same = recorded === effect;
  return h("dl.effects", null,
    h("div", null, h("dt", null, "Recorded effect"), h("dd", null, recorded)),
    h("div", null, h("dt", null, "Effect now"), h("dd", null, effect, " ", h("span.badge.accepted", null, same ? "the same" : "of the same kind"))));
}

byId("suite").textContent = `${run.suite || "assay"}: healed steps`;
byId("when").textContent = [`run ${run.run}`, run.started && moment(run.started)].filter(Boolean).join(" · ");
byId("main").replaceChildren(introduction(), ...proposals.map(proposalItem));
