// Pictures in SVG: what they have in common.

/** Make an element of SVG with attributes, within another. */
function shape(kind, attributes, parent) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", kind);
  change(made, attributes);
  parent?.append(made);
  return made;
}

/** Set attributes that differ; those that stay the same would have the browser paint anew. */
function change(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/** Set the words of an element, if they differ. */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A colour between others, given as [red, green, blue], at a share from 0 to 1. */
function between(colours, share) {
  const place = Math.min(Math.max(share, 0), 1) * (colours.length - 1);
  const at = Math.min(Math.floor(place), colours.length - 2);
  const mixed = colours[at].map((from, n) => Math.round(from + (colours[at + 1][n] - from) * (place - at)));
  return `rgb(${mixed.join(" ")})`;
}

/** Numbers that look random and are the same every time. */
function scattered(count, seed = 7) {
  let held = seed;
  return Array.from({ length: count }, () => (held = (held * 16807) % 2147483647) / 2147483647);
}

const NIGHT = [[12, 17, 40], [30, 40, 78]]; // of the sky, above and at the horizon
const DULL = [[120, 134, 148], [178, 188, 196]];
const CLEAR = [[78, 150, 222], [190, 224, 248]];
const CLOUD = "M0 0C-14 0 -18 -16 -4 -18C-2 -34 22 -36 27 -22C44 -26 52 -4 36 0Z";

/** A colour gradient from above to below, whose two colours change; its address for `fill`. */
function verticalFade(svg, id) {
  const gradient = shape("linearGradient", { id, x1: 0, y1: 0, x2: 0, y2: 1 }, svg);
  return [0, 1].map((offset) => shape("stop", { offset }, gradient));
}

/** Sky, sun, moon, stars and clouds, behind everything else. */
class Sky {
  constructor(svg, width, height) {
    Object.assign(this, { width, height });
    this.stops = verticalFade(svg, "sky");
    shape("rect", { width, height, fill: "url(#sky)" }, svg);
    this.stars = shape("g", { fill: "#fff" }, svg);
    const places = scattered(60);
    for (let n = 0; n < 30; n++) {
      shape("circle", { cx: places[n] * width, cy: places[n + 30] * height * 0.5, r: 0.6 + places[n] }, this.stars);
    }
    this.halo = shape("circle", { fill: "#ffe9a0" }, svg);
    this.sun = shape("circle", { r: 24, fill: "#ffd23f" }, svg);
    this.moon = shape("path", { d: "M0 -16 A16 16 0 1 0 12 10 A13 13 0 1 1 0 -16Z", fill: "#e8e8f2" }, svg);
    this.clouds = [[90, 70, 1.3], [250, 50, 1], [400, 84, 1.5], [545, 58, 1.1]].map(([x, y, size]) =>
      shape("path", { d: CLOUD, transform: `translate(${x} ${Math.min(y, 0.6 * height)}) scale(${size})` }, svg));
  }

  /** `light` from 0 to 1, `hour` of the day or NaN; `grey`: how far the sky is covered, by default what the light says. */
  update(light, hour, grey) {
    const timeless = Number.isNaN(hour);
    const day = timeless ? 0.5 : (hour - 5) / 15; // the sun is up from 5 to 20
    const up = Math.sin(Math.PI * Math.min(Math.max(day, 0), 1)); // how high it stands
    const shine = timeless ? 1 : Math.min(1, 3 * up, 0.15 + 2.2 * Math.sqrt(light));
    const covered = grey ?? (up > 0.1 ? Math.min(1, Math.max(0, 1 - (1.3 * light) / up)) : 0.4);
    for (const n of [0, 1]) {
      const open = CLEAR[n].map((each, k) => each + (DULL[n][k] - each) * covered);
      change(this.stops[n], { "stop-color": between([NIGHT[n], open], shine) });
    }
    change(this.stars, { opacity: 1 - shine });
    const arc = (share) => [60 + (this.width - 120) * share, 64 + 150 * (2 * share - 1) ** 2];
    const [x, y] = arc(day);
    const visible = up > 0 ? 1 - 0.85 * covered : 0;
    change(this.sun, { cx: x, cy: y, opacity: visible, r: 22 + 4 * light });
    change(this.halo, { cx: x, cy: y, opacity: 0.35 * visible, r: 34 + 14 * light });
    this.clouds.forEach((cloud) => change(cloud, { fill: between([[70, 78, 100], [246, 248, 250]], shine), opacity: 0.9 * covered * (0.25 + 0.75 * shine) }));
    const [moonX, moonY] = arc((((hour + 24 - 20) % 24) || 0) / 9);
    change(this.moon, { transform: `translate(${moonX} ${moonY})`, opacity: up > 0 ? 0 : 1 });
  }
}

/** Values that follow those of the task smoothly, from 0 to 1, by the name of a part of the picture. */
class Smooth {
  constructor(parts) {
    this.parts = parts;
    this.values = {};
    this.raw = {}; // as the task has them
  }

  has(name) {
    return name in this.parts;
  }

  /** Move on towards the last values of a run. */
  follow(run, quickly) {
    for (const [name, { channel, low, high }] of Object.entries(this.parts)) {
      const target = run.last(channel);
      if (target === undefined || Number.isNaN(target)) continue;
      this.raw[name] = target;
      const share = (target - low) / (high - low);
      const before = this.values[name] ?? share;
      this.values[name] = quickly ? share : before + 0.25 * (share - before);
    }
  }

  /** The share of a part, between 0 and 1. */
  at(name) {
    return Math.min(Math.max(this.values[name] ?? 0, 0), 1);
  }
}
