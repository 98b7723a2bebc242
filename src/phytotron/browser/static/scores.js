// The score sheet: you and all rivals, side by side.

/** The share of what hindsight gains over the yardstick that somebody gains, or NaN. */
function attainableShare(total, baseline, best) {
  return best - baseline > 1e-9 * Math.abs(best) ? (total - baseline) / (best - baseline) : NaN;
}

function rounded(value) {
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  return value.toFixed(size >= 10 ? 1 : 2);
}

function cell(row, text, kind = "td") {
  const made = document.createElement(kind);
  made.textContent = text;
  row.append(made);
  return made;
}

/** Which measures have a column: what decides, the return, and the others of the task. */
function columns(said) {
  const names = [said.decisive, "return", ...said.measures.map((each) => each.name)];
  return [...new Set(names)].slice(0, 7).map((name) => {
    const mean = said.measures.find((each) => each.name === name)?.mean;
    const { words, unit } = measureWords(said, name);
    return { name, words: mean ? words.replace("share of the time with ", "") : words, unit: mean ? "% of the time" : unit, factor: mean ? 100 : 1 };
  });
}

/** Fill a table with what everybody has come to after some steps. */
function showScores(table, game) {
  const { task, rivals } = game;
  const you = game.run;
  const { decisive } = task.said;
  const shown = columns(task.said);
  const entries = [
    { label: "you", colour: 0, totals: you.totals(), note: "", steps: you.step },
    ...rivals.map(({ label, note, run, colour, bound }) => ({
      label, note, bound, colour, totals: run.totals(you.step), steps: Math.min(you.step, run.sums.length - 1),
    })),
  ];
  const baseline = entries[1]?.totals[decisive];
  const bound = entries.filter((each) => each.bound).at(-1)?.totals[decisive];
  const best = bound !== undefined && you.over;
  table.replaceChildren();
  const head = table.createTHead().insertRow();
  cell(head, "", "th");
  for (const { words, unit } of shown) cell(head, titled(words, unit), "th");
  if (best) cell(head, "share of what is attainable [%]", "th");
  const body = table.createTBody();
  for (const { label, note, colour, totals, steps } of [...entries].sort((a, b) => b.totals[decisive] - a.totals[decisive])) {
    const row = body.insertRow();
    row.className = label === "you" ? "you" : "";
    const name = cell(row, label, "th");
    name.scope = "row";
    name.title = note;
    name.insertAdjacentElement("afterbegin", swatch(colour));
    for (const { name: measure, factor } of shown) cell(row, steps < you.step ? "…" : rounded(factor * totals[measure]));
    if (best) {
      const share = attainableShare(totals[decisive], baseline, bound);
      cell(row, Number.isNaN(share) ? "–" : (100 * share).toFixed(0));
    }
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
  const { decisive } = game.task.said;
  const { words, unit } = measureWords(game.task.said, decisive);
  const [you, yardstick] = entries;
  const amount = (value) => `${rounded(value)}${unit === "-" ? "" : ` ${pretty(unit)}`}`;
  let said = `The episode is over: your ${words} is ${amount(you.totals[decisive])}`;
  if (yardstick) said += `, that of ${yardstick.label} ${amount(baseline)}`;
  const share = bound === undefined ? NaN : attainableShare(you.totals[decisive], baseline, bound);
  if (!Number.isNaN(share)) said += `; you gained ${(100 * share).toFixed(0)} % of what hindsight could gain over it`;
  return `${said}.`;
}
