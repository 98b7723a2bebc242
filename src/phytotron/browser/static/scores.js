// The score sheet: you and all rivals, side by side.

/** The share of what hindsight gains over the yardstick that somebody gains, or NaN. */
function attainableShare(total, baseline, best) {
  return best - baseline > 1e-9 * Math.abs(best) ? (total - baseline) / (best - baseline) : NaN;
}

function rounded(value) {
  const size = Math.abs(value);
  const text = value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
  return Number(text) === 0 ? "0" : text;
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

/** Fill a table with the totals of everybody after some steps. */
function showScores(table, game) {
  const { task, rivals } = game;
  const you = game.run;
  const shown = columns(task.spec);
  const entries = [
    { label: "you", colour: 0, totals: you.totals(), note: "", steps: you.step },
    ...rivals.map(({ label, note, run, colour, bound }) => ({
      label, note, bound, colour, totals: run.totals(you.step), steps: Math.min(you.step, run.sums.length - 1),
    })),
  ];
  const baseline = entries[1]?.totals.return;
  const bound = entries.filter((each) => each.bound).at(-1)?.totals.return;
  const best = bound !== undefined && you.over;
  table.replaceChildren();
  const head = table.createTHead().insertRow();
  cell(head, "", "th");
  if (best) cell(head, "share of what is attainable [%]", "th");
  for (const { words, unit } of shown) cell(head, titled(words, unit), "th");
  const body = table.createTBody();
  for (const { label, note, colour, totals, steps } of [...entries].sort((a, b) => b.totals.return - a.totals.return)) {
    const row = body.insertRow();
    row.className = label === "you" ? "you" : "";
    const name = cell(row, label, "th");
    name.scope = "row";
    name.title = note;
    name.insertAdjacentElement("afterbegin", swatch(colour));
    if (best) {
      const share = attainableShare(totals.return, baseline, bound);
      cell(row, Number.isNaN(share) ? "–" : (100 * share).toFixed(0));
    }
    for (const { name: measure, factor } of shown) cell(row, steps < you.step ? "…" : rounded(factor * totals[measure]));
  }
  return { entries, baseline, bound };
}

function swatch(colour) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  change(made, { viewBox: "0 0 24 6", class: "swatch", "aria-hidden": "true" });
  shape("line", { x1: 0, y1: 3, x2: 24, y2: 3, stroke: COLOURS[colour], "stroke-width": 4, "stroke-dasharray": DASHES[colour].join(" ") }, made);
  return made;
}

/** The end of an episode in a sentence. */
function verdict(game, { entries, baseline, bound }) {
  const { spec } = game.task;
  const [you, yardstick] = entries;
  const amount = (name, totals) => {
    const { words, unit } = measureWords(spec, name);
    return `${words} ${rounded(totals[name])}${unit === "-" ? "" : ` ${pretty(unit)}`}`;
  };
  const names = [...new Set(["return", spec.decisive])];
  const all = ({ totals }) => names.map((name) => amount(name, totals)).join(", ");
  let text = `The episode is over: you have a ${all(you)}`;
  if (yardstick) text += `; ${yardstick.label}: ${all(yardstick)}`;
  const share = bound === undefined ? NaN : attainableShare(you.totals.return, baseline, bound);
  if (share >= 0) text += `. You gained ${(100 * share).toFixed(0)} % of what hindsight could gain in return`;
  return `${text}.`;
}
