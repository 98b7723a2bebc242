// Episodes as links and files: who decided what, from which step on.

/** Decisions that are the same for some steps, as [steps, driver, wanted (null: nothing)]. */
function condensed(decisions) {
  const found = [];
  for (const { driver, wanted } of decisions) {
    const spec = [driver, Array.from(wanted, (value) => (Number.isNaN(value) ? null : value))];
    const last = found.at(-1);
    if (last && JSON.stringify(last.slice(1)) === JSON.stringify(spec)) last[0] += 1;
    else found.push([1, ...spec]);
  }
  return found;
}

/** The decisions of every step again. */
function spread(segments) {
  return segments.flatMap(([steps, driver, wanted]) =>
    Array.from({ length: steps }, () => ({ driver, wanted: Float64Array.from(wanted, (value) => value ?? NaN) })));
}

function toText(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromText(text) {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0))));
}

/** The address of this page with an episode in it. */
function episodeLink(task, window, decisions) {
  const held = [window.label, condensed(decisions), task.changedPrices(), task.places.indexOf(task.place)];
  return `${location.href.split("#")[0]}#${toText(held)}`;
}

/** The window and the decisions of the address, whose prices and place are set; null where none can be read. */
function linkedEpisode(task) {
  try {
    const [label, segments, prices, number = 0] = fromText(location.hash.slice(1));
    const place = task.places[number];
    const window = place.windows.find((each) => each.label === label);
    const decisions = spread(segments);
    const fits = decisions.every(({ wanted }) => wanted.length === task.spec.controls.length);
    if (!window || !fits) return null;
    task.place = place;
    for (const price of task.spec.prices) if (price.name in prices) task.setPrice(price, Number(prices[price.name]));
    return { window, decisions: decisions.slice(0, task.spec.steps) };
  } catch {
    return null;
  }
}

/** A played episode as `phytotron evaluate --played FILE` reads it. */
function playedFile(task, run, decisions) {
  const totals = run.totals();
  const { id } = task.spec.environment;
  const { options } = task.place;
  const changed = task.changedPrices();
  const prices = Object.keys(changed).length ? { prices: { ...options.prices, ...changed } } : {};
  return {
    format: task.spec.format,
    environment: { id, options: { ...options, ...prices } },
    start: run.window.label,
    return: totals.return,
    measures: totals,
    decisions: condensed(decisions),
    actions: run.actions.map((each) => Array.from(each)),
  };
}

/** Let the browser save a file. */
function saveFile(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
