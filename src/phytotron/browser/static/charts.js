// Charts of a run beside that of the yardstick, and of what all have earned so far.

// Okabe and Ito's colours, which the colour-blind can tell apart; the yellow is left out. The first is the person's.
const COLOURS = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7f7f7f", "#8a6d3b"];
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [10, 4], [1, 3], [12, 2]];
const CHART_HEIGHT = 132;

/** When steps begin and end, in seconds since 1970, or as numbers of steps where the task has no calendar. */
class Calendar {
  constructor(timeline, label) {
    this.timeline = timeline;
    const found = timeline && /(\d{4})(-\d{2}-\d{2})?$/.exec(label);
    this.origin = found ? Date.parse(timeline.calendar ? `${found[1]}-01-01` : found[0]) / 1000 : NaN;
    this.known = !Number.isNaN(this.origin);
  }

  /** The end of a step that counts from 1; that of step 0 is the beginning of the episode. */
  end(step) {
    if (!this.known) return step;
    return this.origin + 86400 * (this.timeline.first + this.timeline.interval * (step - 1));
  }

  /** Up to which step charts show what is to come: a day ahead, or the whole season where steps are days and longer. */
  horizon(step, steps) {
    return this.daily > 1 ? Math.min(steps, step + this.daily) : steps;
  }

  /** Steps of a day, or one where steps are longer. */
  get daily() {
    return this.timeline && this.timeline.interval < 1 ? Math.round(1 / this.timeline.interval) : 1;
  }

  hour(step) {
    if (!this.known || this.daily === 1) return NaN;
    return (((this.end(step) / 3600) % 24) + 24) % 24;
  }

  words(step) {
    if (!this.known) return `step ${step}`;
    const options = { day: "numeric", month: "long", timeZone: "UTC" };
    const clock = this.daily > 1 ? { hour: "2-digit", minute: "2-digit", hour12: false } : { year: "numeric" };
    return new Date(1000 * this.end(step)).toLocaleString("en-GB", { ...options, ...clock });
  }
}

/** One chart: `lines` are {label, colour, dash, values(), and where they have an axis of their own, right}. */
class Chart {
  constructor(parent, title, calendar, lines, { bounds = null, legend = true } = {}) {
    this.lines = lines;
    this.now = 0; // steps that a person has made
    this.calendar = calendar;
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    caption.textContent = title;
    figure.append(caption);
    parent.append(figure);
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--ink");
    const axis = { stroke: ink, grid: { stroke: style.getPropertyValue("--grid"), width: 1 }, ticks: { show: false } };
    const options = {
      width: Math.max(figure.clientWidth, 240),
      height: CHART_HEIGHT,
      tzDate: (seconds) => uPlot.tzDate(new Date(1000 * seconds), "UTC"),
      cursor: { y: false },
      legend: { live: false, show: legend },
      scales: { x: { time: calendar.known }, y: { range: (_, low, high) => extended(low, high, bounds) } },
      axes: [
        { ...axis, size: 26, ...(calendar.known ? { values: (_, times) => times.map(stamp) } : {}) },
        { ...axis, size: 52 },
        ...(lines.some(({ right }) => right) ? [{ ...axis, grid: { show: false }, scale: "right", side: 1, size: 40 }] : []),
      ],
      series: [{}, ...lines.map(({ label, colour, dash, width, right, fill }) => ({
        label, stroke: colour, dash, width, fill, scale: right ? "right" : "y", points: { show: false }, spanGaps: true,
      }))],
      hooks: {
        drawClear: bounds ? [(plot) => drawBounds(plot, bounds, ink, style.getPropertyValue("--warning"))] : [],
        draw: [(plot) => drawNow(plot, this.now, ink)],
      },
    };
    this.plot = new uPlot(options, lines.map(() => []).concat([[]]), figure);
    this.resizer = new ResizeObserver(() => this.plot.setSize({ width: figure.clientWidth, height: CHART_HEIGHT }));
    this.resizer.observe(figure);
  }

  /** Draw up to the horizon; what a person has not lived through is left out of their lines by itself. */
  update(step, horizon) {
    const times = Array.from({ length: horizon }, (_, n) => this.calendar.end(n + 1));
    this.now = step < horizon ? this.calendar.end(step) : NaN;
    this.plot.setData([times, ...this.lines.map(({ values }) => filled(values(), horizon))]);
  }

  remove() {
    this.resizer.disconnect();
    this.plot.destroy();
  }
}

function filled(values, steps) {
  return Array.from({ length: steps }, (_, n) => values[n] ?? null);
}

/** The day at midnight, otherwise the hour. */
function stamp(seconds) {
  const date = new Date(1000 * seconds);
  if (seconds % 86400) return date.toISOString().slice(11, 16);
  return date.toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}

/** A range of values with some room, and with the bounds where they are not far away. */
function extended(low, high, bounds) {
  if (low === null || high === null) return [0, 1];
  let [from, to] = [low, high];
  for (const bound of bounds ?? []) {
    if (bound === null || bound < low - 0.5 * (high - low) || bound > high + 0.5 * (high - low)) continue;
    [from, to] = [Math.min(from, bound), Math.max(to, bound)];
  }
  return uPlot.rangeNum(from, to, 0.1, true);
}

/** Dashed lines where the climate has to stay between, and a tint over what lies beyond them. */
function drawBounds(plot, bounds, ink, tint) {
  const { ctx, bbox } = plot;
  const bottom = bbox.top + bbox.height;
  ctx.save();
  ctx.setLineDash([3, 4]);
  ctx.strokeStyle = ink;
  ctx.fillStyle = tint;
  bounds.forEach((bound, upper) => {
    if (bound === null || plot.scales.y.min === undefined) return;
    const y = plot.valToPos(bound, "y", true);
    if (y < bbox.top || y > bottom) return;
    ctx.globalAlpha = 0.12;
    ctx.fillRect(bbox.left, upper ? bbox.top : y, bbox.width, upper ? y - bbox.top : bottom - y);
    ctx.globalAlpha = 0.6;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  });
  ctx.restore();
}

/** A line where the present is; what lies right of it is to come. */
function drawNow(plot, now, ink) {
  if (Number.isNaN(now)) return;
  const { ctx, bbox } = plot;
  const x = Math.max(plot.valToPos(now, "x", true), bbox.left);
  ctx.save();
  ctx.setLineDash([]);
  ctx.strokeStyle = ink;
  ctx.globalAlpha = 0.45;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

/** All charts of an episode: climate or crop, controls, and what decides who did better. */
class Charts {
  constructor(parent, game) {
    const { task, calendar, run, rivals } = game;
    parent.replaceChildren();
    const channels = task.spec.channels;
    const place = (name) => task.channels.indexOf(name);
    const yardstick = rivals.find((rival) => rival.run.choose);
    this.game = game;
    this.all = [this.weather(parent, (yardstick ?? game).run)].filter((each) => each !== null);
    this.all.push(...task.spec.charts.filter((name) => place(name) >= 0).map((name, number) => {
      const { description, unit, bounds } = channels[place(name)];
      const lines = [{ ...line(0, 2, "you"), values: () => run.series[place(name)] }];
      if (yardstick) {
        lines.unshift({ ...line(yardstick.colour, 1.2, yardstick.label), values: () => yardstick.run.series[place(name)] });
      }
      return new Chart(parent, titled(description, unit), calendar, lines, { bounds, legend: number === 0 });
    }));
    const controls = shownControls(task.spec);
    const before = yardstick ? `; before you begin, those of ${inSentence(yardstick.label)}` : "";
    if (controls) {
      this.all.push(new Chart(parent, controls.title + before, calendar, controls.channels.map(({ name, words, scale }, n) => ({
        ...line(n, 1.6, words),
        values: () => (run.step ? run : (yardstick?.run ?? run)).series[place(name)].map(scale),
      }))));
    }
    const decisive = task.measures.indexOf(task.spec.decisive);
    const { unit, words } = measureWords(task.spec, task.spec.decisive);
    const earned = (episode, measure) => episode.sums.slice(1).map((sums) => sums[measure]);
    this.all.push(new Chart(parent, titled(`${words} so far`, unit), calendar, [
      { ...line(0, 3, "you"), values: () => earned(run, decisive) },
      ...rivals.map((rival) => ({ ...line(rival.colour, 1.4, rival.label), values: () => earned(rival.run, decisive) })),
    ]));
    if (rivals.length) this.all.push(this.lead(parent, game, earned));
  }

  /** The weather of these days, which a rival knows a little further: the sun or the rain, and the temperature. */
  weather(parent, run) {
    const { task, calendar } = this.game;
    const shown = shownWeather(task.spec);
    if (!shown.length) return null;
    const lines = shown.map(({ name, description, unit }) => {
      const warm = unit === "°C";
      const place = task.channels.indexOf(name);
      const drawn = warm ? line(1, 1.6) : { ...line(5, 1.2), dash: [], fill: `${COLOURS[5]}40` };
      return { ...drawn, label: titled(description, unit), right: warm && shown.length > 1, values: () => run.series[place] };
    });
    return new Chart(parent, "the weather, which nobody can change", calendar, lines);
  }

  /** How far everybody is ahead of the yardstick in return, which is the first of the measures. */
  lead(parent, { task, calendar, run, rivals: [yardstick, ...others] }, earned) {
    const ahead = (episode) => {
      const base = earned(yardstick.run, 0);
      return earned(episode, 0).map((value, step) => (step < base.length ? value - base[step] : null));
    };
    const title = titled(`return, ahead of ${inSentence(yardstick.label)}`, task.spec.returns.unit);
    return new Chart(parent, title, calendar, [
      { ...line(0, 3, "you"), values: () => ahead(run) },
      ...others.map((rival) => ({ ...line(rival.colour, 1.4, rival.label), values: () => ahead(rival.run) })),
    ]);
  }

  update(step) {
    const horizon = this.game.calendar.horizon(step, this.game.task.spec.steps);
    this.all.forEach((each) => each.update(step, horizon));
  }

  remove() {
    this.all.forEach((each) => each.remove());
  }
}

function line(number, width, label) {
  return { label, width, colour: COLOURS[number % COLOURS.length], dash: DASHES[number % DASHES.length] };
}

/** A text of the package as it is shown: with the index of CO₂, and without the backticks of commands. */
function written(text) {
  return text.replace(/CO2/g, "CO₂").replace(/`/g, "");
}

function titled(words, unit) {
  return unit && unit !== "-" ? `${written(words)} [${pretty(unit)}]` : written(words);
}

/** The sun or the rain, and the temperature outdoors: channels that a task has of them. */
function shownWeather(spec) {
  const channels = spec.channels.filter(({ group }) => group === "weather");
  return ["W m-2", "mm", "°C"].map((unit) => channels.find((each) => each.unit === unit)).filter(Boolean);
}

/** Units as people write them. */
function pretty(unit) {
  return unit.replace(/-1/g, "⁻¹").replace(/-2/g, "⁻²").replace(/-3/g, "⁻³").replace(/m2/g, "m²").replace(/m3/g, "m³");
}

function plainWords(name) {
  return name.replaceAll("_", " ").replace(/co2/g, "CO₂");
}

/** Control channels in one unit: shares of their ranges where a person sets them, otherwise as they are; null: none. */
function shownControls(spec) {
  const ranges = new Map(spec.controls.filter((each) => each.setting === null).map((each) => [each.name, each]));
  const channels = spec.channels.filter((each) => each.group === "control");
  const set = channels.filter(({ name }) => ranges.has(name));
  if (set.length) {
    const scale = ({ low, high }) => (value) => (100 * (value - low)) / (high - low);
    const all = channels.filter(({ name, unit }) => ranges.has(name) || unit === "-");
    const range = ({ name }) => ranges.get(name) ?? { low: 0, high: 1 };
    return {
      title: "your controls [% of their range]",
      channels: all.map((each) => ({ name: each.name, words: plainWords(each.name), scale: scale(range(each)) })),
    };
  }
  if (!channels.length) return null;
  const alike = channels.filter(({ unit }) => unit === channels[0].unit);
  const same = (value) => value;
  return {
    title: titled("your decisions", channels[0].unit),
    channels: alike.map(({ name }) => ({ name, words: plainWords(name), scale: same })),
  };
}

/** Words and unit of a measure, or of the return. */
function measureWords(spec, name) {
  if (name === "return") return { words: "return", unit: spec.returns.unit };
  const { description, unit } = spec.measures.find((each) => each.name === name);
  return { words: description.split(":")[0], unit };
}
