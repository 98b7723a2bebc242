// Episodes as links and files: who decided what, from which step on.

/** Decisions that are the same for some steps, as [steps, driver, wanted (null: nothing)]. */
function condensed(decisions) {
  const found = [];
  for (const { driver, wanted } of decisions) {
    const said = [driver, Array.from(wanted, (value) => (Number.isNaN(value) ? null : value))];
    const last = found.at(-1);
    if (last && JSON.stringify(last.slice(1)) === JSON.stringify(said)) last[0] += 1;
    else found.push([1, ...said]);
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
function episodeLink(window, decisions) {
  return `${location.href.split("#")[0]}#${toText([window.label, condensed(decisions)])}`;
}

/** The window and the decisions of the address, or null where it holds none that can be read. */
function linkedEpisode(task) {
  try {
    const [label, segments] = fromText(location.hash.slice(1));
    const window = task.windows.find((each) => each.label === label);
    const decisions = spread(segments);
    const fits = decisions.every(({ wanted }) => wanted.length === task.said.controls.length);
    return window && fits ? { window, decisions: decisions.slice(0, task.said.steps) } : null;
  } catch {
    return null;
  }
}

/** A played episode as `phytotron evaluate --played FILE` reads it. */
function playedFile(task, run, decisions) {
  const totals = run.totals();
  return {
    format: task.said.format,
    environment: task.said.environment,
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
