// The score sheet: you and all rivals, side by side.

/** The share of what hindsight gains over the yardstick that somebody gains, or NaN. */
function attainableShare(total, baseline, best) {
  return best - baseline > 1e-9 * Math.abs(best) ? (total - baseline) / (best - baseline) : NaN;
}

function rounded(value) {
  const size = Math.abs(value);
  const text = value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
  return Number(text) === 0 ? "0" : text.replace("-", "−");
}

function cell(row, text, kind = "td") {
  const made = document.createElement(kind);
  made.textContent = text;
  row.append(made);
  return made;
}

const SHARE = "share of the time with "; // begins the words of a measure that is one

/** Which measures have a column: the return, which plans raise, what else decides, and the others of the task. */
function columns(spec) {
  const names = ["return", spec.decisive, ...spec.measures.map((each) => each.name)];
  return [...new Set(names)].slice(0, 7).map((name) => {
    const { words, unit } = measureWords(spec, name);
    if (!words.startsWith(SHARE)) return { name, words, unit, factor: 1 };
    return { name, words: words.slice(SHARE.length), unit: "% of the time", factor: 100 };
  });
}

/** Totals of everybody after as many steps as you have made, you first and the yardstick second. */
function currentScores(game) {
  const { rivals, run: you, task } = game;
  const entries = [
    { label: "you", colour: 0, totals: you.totals(), note: "", known: true },
    ...rivals.map(({ label, note, run, colour, bound }) => ({
      label, note, bound, colour, totals: run.totals(you.step), known: run.over || run.step >= you.step,
    })),
  ];
  const baseline = entries[1]?.totals.return;
  const best = task.original ? entries.filter((each) => each.bound).at(-1)?.totals.return : undefined;
  const share = ({ totals }) => (best === undefined ? NaN : attainableShare(totals.return, baseline, best));
  return { entries: entries.map((each) => ({ ...each, share: you.over ? share(each) : NaN })) };
}

/** A share in per cent; how far below nothing it lies says little, where there is little to gain. */
function percentage(share) {
  return share < -0.005 ? "below 0" : Math.abs(100 * share).toFixed(0);
}

function ranked(entries) {
  return [...entries].sort((a, b) => b.totals.return - a.totals.return);
}

/** Fill a table with the totals of everybody. */
function showScores(table, game, { entries }) {
  const shown = columns(game.task.spec);
  const shares = entries.some(({ share }) => !Number.isNaN(share));
  table.replaceChildren();
  const head = table.createTHead().insertRow();
  cell(head, "", "th");
  if (shares) cell(head, "share of what is attainable [%]", "th");
  for (const { words, unit } of shown) cell(head, titled(words, unit), "th");
  const body = table.createTBody();
  for (const { label, note, colour, totals, known, share } of ranked(entries)) {
    const row = body.insertRow();
    row.className = label === "you" ? "you" : "";
    const name = cell(row, label, "th");
    name.scope = "row";
    name.title = note;
    name.insertAdjacentElement("afterbegin", swatch(colour));
    if (shares) cell(row, Number.isNaN(share) ? "–" : percentage(share));
    for (const { name: measure, factor } of shown) cell(row, known ? rounded(factor * totals[measure]) : "…");
  }
}

function swatch(colour) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  change(made, { viewBox: "0 0 24 6", class: "swatch", "aria-hidden": "true" });
  const { colour: stroke, dash } = line(colour);
  shape("line", { x1: 0, y1: 3, x2: 24, y2: 3, stroke, "stroke-width": 4, "stroke-dasharray": dash.join(" ") }, made);
  return made;
}

/** The return, and the measure that decides where that is another. */
function headings(spec) {
  return spec.decisive === "return" ? "return" : `return, with ${measureWords(spec, spec.decisive).words}`;
}

/** Fill a list with bars of the return, the best first, and the measure that decides; the lowest has the shortest bar. */
function showStandings(list, game, { entries }) {
  const { spec } = game.task;
  const { unit } = measureWords(spec, spec.decisive);
  const returns = entries.filter(({ known }) => known).map(({ totals }) => totals.return);
  const [low, high] = [Math.min(...returns), Math.max(...returns)];
  list.className = game.run.step ? "" : "waiting";
  list.replaceChildren(...ranked(entries).map(({ label, colour, totals, known, share, note }) => {
    const row = Object.assign(document.createElement("li"), { className: label === "you" ? "you" : "", title: note });
    const name = textual("span", label);
    name.prepend(swatch(colour));
    if (game.run.step === 0) {
      row.append(name, textual("span", label === "you" ? "press play" : written(note)));
      return row;
    }
    const length = known && high > low ? 6 + (94 * (totals.return - low)) / (high - low) : 6;
    const bar = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    change(bar, { class: "bar", viewBox: "0 0 100 14", preserveAspectRatio: "none", "aria-hidden": "true" });
    shape("rect", { width: length, height: 14, rx: 1, fill: line(colour).colour }, bar);
    const decisive = `${rounded(totals[spec.decisive])}${unit === "-" ? "" : ` ${pretty(unit)}`}`;
    const value = spec.decisive === "return" ? decisive : `${rounded(totals.return)}, ${decisive}`;
    const amount = Number.isNaN(share) ? value : `${value}, ${percentage(share)} %`;
    row.append(name, bar, textual("span", known ? amount : "…"));
    return row;
  }));
}

function textual(kind, text) {
  return Object.assign(document.createElement(kind), { textContent: text });
}
