// The page: what people press and move, and what they see.

const PACES = [["4 minutes", 240], ["1 minute", 60], ["20 seconds", 20], ["5 seconds", 5]];
const RIVAL_MILLISECONDS = { playing: 12, waiting: 40 }; // of every frame, for rivals that are not at their end
const CHART_MILLISECONDS = 120; // between two drawings of the charts

const find = (id) => document.getElementById(id);

class Page {
  constructor(task) {
    this.task = task;
    this.playing = false;
    this.due = 0;
    this.words();
    this.picture = new PICTURES[task.spec.picture](find("picture"), task.spec.parts);
    this.bind();
    const linked = linkedEpisode(task);
    this.prices();
    find("place").value = task.places.indexOf(task.place);
    this.begin(linked?.window ?? task.windows[0], linked?.decisions ?? []);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redrawCharts());
    requestAnimationFrame((time) => this.frame(time));
  }

  /** The texts at the head of the page. */
  words() {
    const { spec } = this.task;
    find("title").textContent = spec.title;
    find("introduction").textContent = introduction(this.task);
    find("caption").textContent = PICTURES[spec.picture].caption(spec.parts);
    const about = [
      `${spec.id}${spec.variant ? `: ${spec.variant}` : ""}. The model runs in this page, compiled from the one in Python, in double precision.`,
      `You decide ${spec.decides}. Return: ${spec.returns.meaning}.`,
      ...spec.notes,
      ...this.task.rivals.map((each) => `${each.label}: ${each.note}.`),
    ];
    find("about").replaceChildren(...about.map((text) => Object.assign(document.createElement("p"), { textContent: written(text) })));
    this.task.windows.forEach(({ label }, number) => find("window").add(new Option(windowWords(label), number)));
    this.task.places.forEach(({ label }, number) => find("place").add(new Option(label, number)));
    find("placing").hidden = this.task.places.length < 2;
    find("kind-of-window").textContent = spec.timeline ? "season" : "episode";
    find("kind").textContent = spec.picture === "none" ? "place" : spec.picture;
    PACES.forEach(([label], number) => find("pace").add(new Option(`episode in ${label}`, number, number === 1, number === 1)));
    find("back").textContent = spec.timeline?.interval < 1 ? "A day back" : "A step back";
  }

  bind() {
    find("play").addEventListener("click", () => this.play(!this.playing));
    find("start").addEventListener("click", () => {
      this.play(true);
      find("play").focus({ preventScroll: true });
    });
    find("step").addEventListener("click", () => this.step(1));
    find("back").addEventListener("click", () => this.back());
    find("finish").addEventListener("click", () => this.step(Infinity));
    find("restart").addEventListener("click", () => this.begin(this.game.window));
    find("window").addEventListener("change", ({ target }) => this.begin(this.task.windows[target.value]));
    find("place").addEventListener("change", ({ target }) => {
      const number = this.task.windows.indexOf(this.game.window);
      this.task.place = this.task.places[target.value];
      this.begin(this.task.windows[number]);
    });
    find("driver").addEventListener("change", ({ target }) => this.drive(target.value));
    find("takeover").addEventListener("click", () => this.drive(this.game.driver === YOU ? this.helper().name : YOU));
    find("link").addEventListener("click", () => this.copyLink());
    find("save").addEventListener("click", () => this.save());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Fields for the prices; a change starts the episode again. */
  prices() {
    const { spec, prices } = this.task;
    find("prices").hidden = spec.prices.length === 0;
    const note = Object.assign(document.createElement("p"), {
      textContent: "A change starts the episode again.",
    });
    find("pricelist").replaceChildren(...spec.prices.map((price) => {
      const label = Object.assign(document.createElement("label"), { textContent: `${titled(price.description, price.unit)} ` });
      const input = Object.assign(document.createElement("input"), { type: "number", min: 0, step: "any", value: prices[price.name] });
      input.addEventListener("change", () => {
        if (!input.checkValidity() || input.value === "") return;
        this.task.setPrice(price, Number(input.value));
        this.begin(this.game.window);
      });
      label.append(input);
      return label;
    }), note);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|BUTTON|SUMMARY|A)$/.test(event.target.tagName)) return;
    const meant = { " ": () => this.play(!this.playing), ".": () => this.step(1), b: () => this.back() }[event.key];
    if (!meant) return;
    event.preventDefault();
    meant();
  }

  /** Start an episode in a window, with decisions that were made before, if any. */
  begin(window, decisions = []) {
    this.play(false);
    this.game = new Game(this.task, window);
    this.game.repeat(decisions);
    find("window").value = this.task.windows.indexOf(window);
    const named = [[YOU, "you"], ...this.game.drivers.map(({ name, label }) => [name, label])];
    find("driver").replaceChildren(...named.map(([name, label]) => new Option(label, name)));
    this.first = new Run(this.task, window, (run) => this.task.act(this.game.wanted, run)); // for a picture before any step
    this.first.advance();
    this.panel = new Panel(find("controls"), this.game, () => this.drive(YOU));
    this.drive(this.game.driver);
    this.redrawCharts();
    this.show(true);
  }

  redrawCharts() {
    this.charts?.remove();
    this.charts = new Charts(find("charts"), this.game);
    this.charts.update(this.game.run.step);
  }

  /** Who takes over at a press: the trained agent, or else the first that the page can run. */
  helper() {
    return this.game.drivers.find(({ name }) => name === "agent") ?? this.game.drivers[0];
  }

  drive(name) {
    this.game.driver = name;
    find("driver").value = name;
    this.panel.update();
    const helper = this.helper();
    find("takeover").hidden = helper === undefined;
    find("takeover").textContent = name === YOU ? `Hand over to the ${asNoun(helper?.label)}` : "Take over yourself";
  }

  play(on) {
    this.playing = on && !this.game?.run.over;
    this.last = undefined;
    find("play").textContent = this.playing ? "Pause" : "Play";
    find("start").hidden = this.playing || Boolean(this.game?.run.step);
    find("play").setAttribute("aria-pressed", this.playing);
  }

  step(count) {
    this.play(false);
    this.game.advance(count);
    this.show(true);
    if (count === Infinity) find("race").scrollIntoView({ block: "nearest" });
  }

  back() {
    const { run, calendar } = this.game;
    this.play(false);
    this.game.back(Math.max(0, run.step - calendar.daily));
    this.show(true);
  }

  frame(time) {
    const { game } = this;
    if (this.playing) {
      const seconds = this.last === undefined ? 0 : Math.min((time - this.last) / 1000, 0.1);
      this.last = time;
      this.due += (seconds * game.task.spec.steps) / PACES[find("pace").value][1];
      const steps = Math.floor(this.due);
      this.due -= steps;
      game.advance(steps);
      if (game.run.over) this.play(false);
    }
    const before = this.settled;
    this.settled = game.advanceRivals(RIVAL_MILLISECONDS[this.playing ? "playing" : "waiting"]);
    this.draw(false);
    const due = (this.playing || !this.settled) && time - (this.shown ?? 0) > CHART_MILLISECONDS;
    if (due || this.stepShown !== game.run.step && !this.playing || (this.settled && !before)) {
      this.shown = time;
      this.show(false);
    }
    requestAnimationFrame((next) => this.frame(next));
  }

  draw(quickly) {
    const { run, calendar } = this.game;
    this.picture.update(run.step ? run : this.first, calendar.hour(run.step), quickly);
  }

  /** Show where the episode stands. */
  show(quickly) {
    const { game } = this;
    const { run, calendar } = game;
    this.stepShown = run.step;
    this.draw(quickly);
    find("time").textContent = calendar.words(run.step);
    find("progress").value = run.step / this.task.spec.steps;
    find("readings").replaceChildren(...this.readings());
    this.panel.update();
    this.charts.update(run.step);
    const scores = currentScores(game);
    showScores(find("scores"), game, scores);
    showStandings(find("standings"), game, scores);
    find("heading").textContent = run.over ? "How it ended" : run.step ? `Who is ahead by ${headings(this.task.spec)}${this.task.spec.doses ? ": fertiliser is paid at once, grain comes later" : ""}` : "Your rivals";
    find("verdict").textContent = run.over && this.settled !== false ? verdict(game, scores) : "";
    find("missing").textContent = missingWords(game);
    find("start").hidden = this.playing || run.step > 0;
    document.body.classList.toggle("over", run.over);
    for (const id of ["play", "step", "finish"]) find(id).disabled = run.over;
    for (const id of ["back", "save", "link"]) find(id).disabled = run.step === 0;
  }

  /** The latest numbers of the channels that are charted, and what was earned. */
  readings() {
    const { spec } = this.task;
    const { run } = this.game;
    const made = (words, value, unit, bounds) => {
      const outside = bounds && (value < (bounds[0] ?? -Infinity) || value > (bounds[1] ?? Infinity));
      const entry = textual("span", outside ? `${words}, out of bounds` : words);
      entry.className = outside ? "outside" : "";
      entry.prepend(textual("b", `${value === undefined ? "–" : rounded(value)}${unit === "-" ? "" : ` ${pretty(unit)}`}${outside ? " ⚠" : ""}`));
      return entry;
    };
    const held = run.step ? run : this.first; // before any step, what the first one begins with
    const channels = [...new Set([...spec.channels.filter(({ name }) => spec.charts.includes(name)), ...shownWeather(spec)])];
    const measures = [...new Set(["return", spec.decisive])].map((name) => ({ name, ...measureWords(spec, name) }));
    return [
      ...measures.map(({ name, words, unit }) => made(words, run.totals()[name], unit)),
      ...channels.map((each) => made(plainWords(each.name), held.last(each.name), each.unit, each.bounds)),
    ];
  }

  async copyLink() {
    const link = episodeLink(this.task, this.game.window, this.game.decisions);
    history.replaceState(null, "", link);
    try {
      await navigator.clipboard.writeText(link);
      find("notice").textContent = "The link is copied; it holds the whole episode.";
    } catch {
      find("notice").textContent = "The address of this page now holds the whole episode.";
    }
  }

  save() {
    const { run, decisions } = this.game;
    const name = `${this.task.spec.id.split("/").at(-1)}_${run.window.label}.json`.replace(/[^\w.-]+/g, "_");
    saveFile(name, JSON.stringify(playedFile(this.task, run, decisions)));
    find("notice").textContent = `Saved. Replay it with: phytotron evaluate --played ${name}`;
  }
}

async function main() {
  const spec = JSON.parse(find("content").textContent);
  const read = await openArchive(find("numbers").textContent.trim());
  const task = new Task(spec, read, compiled(spec.tables.map(read)));
  globalThis.phytotron = { task, page: new Page(task), Run, Game, rivalRun, episodeLink, playedFile };
  document.body.classList.add("ready");
}

main();
