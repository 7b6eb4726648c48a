const rows = [...document.querySelectorAll("tbody tr")];
const form = document.getElementById("filters");
const search = document.getElementById("search");
const chips = [...form.querySelectorAll("button")];
const found = document.getElementById("found");
const none = document.getElementById("none");
const columns = [...document.querySelectorAll("th.test")];
/** The columns in which a row has a link. */
const linked = new Map(rows.map((row) => [row, [...row.querySelectorAll("td[class][data-column]")].map((cell) => cell.dataset.column)]));
const cells = new Map(columns.map((head) => [head.dataset.column, [head]]));
for (const cell of document.querySelectorAll("td[data-column]")) cells.get(cell.dataset.column).push(cell);

function apply() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = chips.filter((chip) => chip.getAttribute("aria-pressed") === "true").map((chip) => chip.dataset.show);
  const used = new Set();
  let count = 0;
  for (const row of rows) {
    const kinds = [row.dataset.coverage, row.dataset.failing === "true" ? "failing" : ""];
    const shows = words.every((word) => row.dataset.text.includes(word)) && (wanted.length === 0 || wanted.some((kind) => kinds.includes(kind)));
    row.hidden = !shows;
    if (shows) { count += 1; linked.get(row).forEach((column) => used.add(column)); }
  }
  const filtered = words.length > 0 || wanted.length > 0;
  for (const [column, all] of cells) { const hide = filtered && !used.has(column); all.forEach((cell) => { cell.hidden = hide; }); }
  found.textContent = filtered ? `${count} of ${rows.length}` : "";
  if (none) none.hidden = count > 0;
}

if (rows.length > 0) {
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  search.addEventListener("input", apply);
  for (const chip of chips) chip.addEventListener("click", () => {
    chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
    apply();
  });
}
