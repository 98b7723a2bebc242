// Pictures in SVG: what they have in common.

/** Make an element of SVG with attributes, within another. */
function shape(kind, attributes, parent) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", kind);
  change(made, attributes);
  parent?.append(made);
  return made;
}

function change(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
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

const NIGHT_SKY = [[16, 22, 48], [52, 66, 110], [120, 168, 214], [150, 205, 245]];

/** Sky, sun, moon and stars, behind everything else. */
class Sky {
  constructor(svg, width, height) {
    Object.assign(this, { width, height });
    this.back = shape("rect", { width, height }, svg);
    this.stars = shape("g", { fill: "#fff" }, svg);
    const places = scattered(60);
    for (let n = 0; n < 30; n++) {
      shape("circle", { cx: places[n] * width, cy: places[n + 30] * height * 0.5, r: 1.1 }, this.stars);
    }
    this.sun = shape("circle", { r: 24, fill: "#ffd23f" }, svg);
    this.moon = shape("path", { d: "M0 -16 A16 16 0 1 0 12 10 A13 13 0 1 1 0 -16Z", fill: "#e8e8f2" }, svg);
  }

  /** `light` from 0 to 1, `hour` of the day or NaN. */
  update(light, hour) {
    const day = Number.isNaN(hour) ? 0.5 : (hour - 5) / 15; // the sun is up from 5 to 20
    const dark = Number.isNaN(hour) ? 0 : day < 0 || day > 1 ? 1 : 0;
    const shine = dark ? 0 : 0.5 + 0.5 * Math.sqrt(light);
    change(this.back, { fill: between(NIGHT_SKY, shine) });
    change(this.stars, { opacity: dark });
    const arc = (share) => [60 + (this.width - 120) * share, 64 + 150 * (2 * share - 1) ** 2];
    const [x, y] = arc(day);
    change(this.sun, { cx: x, cy: y, opacity: dark ? 0 : 0.5 + 0.5 * Math.sqrt(light), r: 18 + 9 * light });
    const [moonX, moonY] = arc((((hour + 24 - 20) % 24) || 0) / 9);
    change(this.moon, { transform: `translate(${moonX} ${moonY})`, opacity: dark });
  }
}

/** Values that follow those of the task smoothly, from 0 to 1, by the name of a part of the picture. */
class Smooth {
  constructor(parts) {
    this.parts = parts;
    this.values = {};
  }

  has(name) {
    return name in this.parts;
  }

  /** Move on towards the last values of a run. */
  follow(run, quickly) {
    for (const [name, { channel, low, high }] of Object.entries(this.parts)) {
      const target = run.last(channel);
      if (target === undefined || Number.isNaN(target)) continue;
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
