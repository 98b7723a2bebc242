// Sentences of the page: how it begins, who is missing, and how it ended.

const SEASONS = ["winter", "winter", "spring", "spring", "spring", "summer", "summer", "summer", "autumn", "autumn", "autumn", "winter"];

/** Words in a row, as "a, b and c". */
function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** The label of a controller as a noun: "rule-based" alone is none. */
function asNoun(label) {
  return ["rule-based", "constant"].includes(label) ? `${label} controller` : label;
}

/** The same in a sentence, with its article where it needs one. */
function inSentence(label) {
  return /(controller|agent|oracle)$/.test(asNoun(label)) ? `the ${asNoun(label)}` : label;
}

/** A window by its date and season, where its label ends with a date. */
function windowWords(label) {
  const date = /(\d{4})-(\d{2})-(\d{2})$/.exec(label);
  if (!date) return label;
  const day = new Date(`${date[0]}T00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  const season = SEASONS[Number(date[2]) - 1];
  return `${season}, from ${day}${date.index ? ` (${label.slice(0, date.index).trim()})` : ""}`;
}

/** The three sentences above the page. */
function introduction({ spec, rivals }) {
  const days = spec.timeline ? Math.round(spec.steps * spec.timeline.interval) : 0;
  const thing = { greenhouse: `This greenhouse is yours for ${days} days`, field: "This field is yours for a season", none: "This task is yours" }[spec.picture];
  const open = spec.left_alone !== "ruled" || spec.controls.some(({ setting }) => setting === null); // a setting simply holds
  const left = { ruled: "what you leave on auto, a grower's rules decide", held: "what you leave alone stays as it is", lowest: "what you leave alone is at its lowest" }[spec.left_alone];
  const time = spec.timeline ? "days" : "steps";
  const doing = spec.doses ? "choose a dose of fertiliser whenever you think the crop needs one" : `move the sliders while the ${time} pass${open ? `; ${left}` : ""}`;
  const others = rivals.length ? `The same ${time} are run by others (${listed(rivals.map(({ label }) => inSentence(label)))}), and the end shows who did best` : "At the end you see what you have reached";
  return `${thing}: a full model of its climate and crop runs in this page. Press play and ${doing}. ${others}.`
    .replace("its climate and crop", { greenhouse: "its climate and crop", field: "its crop and soil", none: "it" }[spec.picture]);
}

const EXPECTED = { agent: "trained agent", mpc: "predictive control", oracle: "oracle" };

/** Which rivals there are not, and why shares are not given; nothing where all is there. */
function missingWords(game) {
  const { task, rivals } = game;
  const none = Object.keys(EXPECTED).filter((name) => !rivals.some((rival) => rival.name === name)).map((name) => EXPECTED[name]);
  const sentences = none.length ? [`For this episode the package has no ${none.join(", no ")}.`] : [];
  const planned = rivals.filter((rival) => !rival.function).map(({ label }) => label);
  if (!task.original && planned.length) {
    sentences.push(`Plans (${listed(planned)}) were made for the original place and prices, so that no share of the attainable is given.`);
  }
  return sentences.join(" ");
}

/** The rank of somebody: 1st, 2nd, and so on. */
function ordinal(rank) {
  return `${rank}${{ 1: "st", 2: "nd", 3: "rd" }[rank] ?? "th"}`;
}

/** The end of an episode in a few sentences: you, the yardstick, and the share of the attainable. */
function verdict(game, { entries }) {
  const { spec } = game.task;
  const [you, yardstick, ...others] = entries;
  const size = (name, value) => `${rounded(value)}${measureWords(spec, name).unit === "-" ? "" : ` ${pretty(measureWords(spec, name).unit)}`}`;
  const amount = (name, value) => `${measureWords(spec, name).words} of ${size(name, value)}`;
  const names = [...new Set(["return", spec.decisive])];
  const rank = 1 + entries.filter(({ totals }) => totals.return > you.totals.return).length;
  let text = `The episode is over: you came ${ordinal(rank)} of ${entries.length}, with a ${names.map((name) => amount(name, you.totals[name])).join(" and a ")}.`;
  if (yardstick) {
    const gain = you.totals.return - yardstick.totals.return;
    const same = Math.abs(gain) <= 1e-6 * Math.max(1, Math.abs(you.totals.return));
    text += same ? ` Your return is just that of ${inSentence(yardstick.label)}.` : ` Your return is ${size("return", Math.abs(gain))} ${gain > 0 ? "above" : "below"} that of ${inSentence(yardstick.label)}.`;
  }
  if (Number.isNaN(you.share)) return text;
  const percent = (share) => (share > 0 ? `${(100 * share).toFixed(0)} %` : "nothing");
  const rest = others.filter(({ bound, share }) => !bound && share > 0).map(({ label, share }) => `${inSentence(label)} ${percent(share)}`);
  return `${text} Of what perfect hindsight (the oracle) could gain over ${inSentence(yardstick.label)}, ${listed([`you reached ${percent(you.share)}`, ...rest])}.`;
}
