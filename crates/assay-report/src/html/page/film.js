// The pictures of one attempt, in order: what each shows, and what is marked on it.

/**
 * All pictures of an attempt in order: `{ keys, picture, boxes, place, label }`. A page is there twice where it is both
 * what an act led to and what the next one was aimed at: without boxes and with them.
 */
function reelOf(attempt) {
  const frames = [];
  const add = (key, picture, boxes, place, label) => {
    if (picture === null || picture === undefined) return;
    const last = frames[frames.length - 1];
    if (last && last.picture === picture && !boxes.length) last.keys.push(key);
    else frames.push({ keys: [key], picture, boxes, place, label });
  };
  attempt.steps.forEach((step, number) => {
    const what = `${step.place}${step.text ? `: ${step.text}` : ""}`;
    step.commands.forEach((command, order) => {
      add(`${number}.${order}.before`, command.before, aimOn(command, "before"), step.place, `Before ${what}`);
      add(`${number}.${order}.after`, command.after, aimOn(command, "after"), step.place, `After ${what}`);
    });
    step.turns.forEach((turn, order) => add(`${number}.turn${order}`, turn.picture, turnAims(turn), step.place, `Turn ${order + 1} of ${what}`));
    const picture = claimPicture(attempt, number);
    if (step.judgements.length) add(`${number}.claims`, picture, evidenceOf(step), step.place, `At ${what}`);
    else for (const own of step.pictures) if (!frames.some((frame) => frame.picture === own)) add(`${number}.${own}`, own, [], step.place, `At ${what}`);
  });
  const decisive = decisiveStep(attempt);
  if (attempt.page) add("end", attempt.page.picture, frames.length && frames[frames.length - 1].picture === attempt.page.picture ? [] : evidenceOf(decisive), "end", "At the end");
  return frames;
}

/** The film: each page once, with boxes where there are some. */
function filmOf(attempt) {
  const frames = [];
  for (const frame of reelOf(attempt)) {
    // A turn shows the page that its command shows, too.
    if (frame.keys.every((key) => key.includes("turn"))) continue;
    const last = frames[frames.length - 1];
    if (last && last.picture === frame.picture && !last.boxes.length) frames[frames.length - 1] = frame;
    else frames.push(frame);
  }
  return frames;
}

/** The picture that shows the page as the claims of a step were judged: its own last one, or the last before it. */
function claimPicture(attempt, number) {
  for (let at = number; at >= 0; at -= 1) {
    const { pictures } = attempt.steps[at];
    if (pictures.length) return pictures[pictures.length - 1];
  }
  return undefined;
}

/** What the command was aimed at, if this picture of it shows that: boxes as `{ mark, kind, number }`. */
function aimOn(command, picture) {
  return command.target && (command.target.on || "before") === picture ? [{ mark: command.target, kind: "aim" }] : [];
}

/** What the claims of a step were judged by, numbered as in the lists beside. */
function evidenceOf(step) {
  if (!step) return [];
  const numbers = evidenceNumbers(step);
  return step.marks.map((mark) => ({ mark, kind: step.status, number: step.marks.length > 1 ? numbers.get(mark.ref) : undefined }));
}

function evidenceNumbers(step) {
  return new Map(step.marks.map((mark, index) => [mark.ref, index + 1]));
}

/** A small picture that opens the viewer where `key` says. */
function thumbnail(attempt, key, picture, boxes, caption, alt) {
  return h("figure.thumb", null,
    h("button", { type: "button", "aria-label": `Enlarge: ${alt}${boxes.length ? ", marked" : ""}`, onclick: () => openReel(reelOf(attempt), key) }, framed(picture, boxes, "")),
    caption && h("figcaption", null, caption));
}
