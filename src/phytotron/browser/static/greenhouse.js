// A greenhouse in cross-section: sun and sky, roof with vents, screens, lamps, pipes, plants.

const WARMTH = [[96, 112, 150], [150, 140, 150], [214, 94, 0], [236, 40, 0]];
const RIPE = [[120, 170, 60], [240, 140, 40], [205, 40, 30]];
const HOUSE = "M70 350V170L195 100L320 170L445 100L570 170V350Z";

class GreenhousePicture {
  constructor(svg, parts) {
    change(svg, { viewBox: "0 0 640 400" });
    this.smooth = new Smooth(parts);
    this.sky = new Sky(svg, 640, 400);
    shape("path", { d: "M0 322Q160 296 330 318T640 304V400H0Z", class: "hill" }, svg);
    this.inside = verticalFade(svg, "air");
    shape("path", { d: HOUSE, fill: "url(#air)", opacity: 0.95 }, svg);
    this.mist = shape("path", { d: HOUSE, fill: "#cfe0ee" }, svg);
    this.beams = shape("path", { d: "M120 142L170 114L230 350H130ZM370 142L420 114L480 350H380Z", fill: "#fff3b8" }, svg);
    shape("rect", { y: 348, width: 640, height: 52, class: "soil" }, svg);
    shape("rect", { x: 70, y: 344, width: 500, height: 8, class: "gutter" }, svg);
    this.bubbles = this.carbon(svg);
    this.lamps = this.lights(svg);
    this.plants = parts.heads ? this.lettuces(svg) : this.tomatoes(svg);
    this.pipes = shape("g", {}, svg);
    for (let x = 82; x < 570; x += 68) shape("circle", { cx: x, cy: 337, r: 6, class: "pipe" }, this.pipes);
    this.screens = ["screen", "blackout"].filter((name) => this.smooth.has(name)).map((name) => this.curtain(svg, name));
    shape("path", { d: "M82 176L195 113L214 123L94 190ZM332 176L445 113L464 123L344 190Z", class: "glint" }, svg);
    shape("path", { d: "M70 350V170L195 100L320 170V350M320 170L445 100L570 170V350M132 135V172M257 135V172M382 135V172M507 135V172", class: "frame" }, svg);
    this.vents = [[195, 100], [445, 100]].map(([x, y]) => [shape("line", { x1: 0, y1: 0, x2: 62, y2: 35, class: "vent" }, svg), x, y]);
    this.outdoor = shape("text", { x: 14, y: 336, class: "reading" }, svg);
    this.indoor = shape("text", { x: 195, y: 156, class: "reading middle" }, svg);
  }

  /** What the parts of the picture mean. */
  static caption(parts) {
    const meanings = {
      vent: "Flaps on the roof: vents.", screen: "Golden curtain: thermal screen.", blackout: "Dark curtain: blackout screen.",
      lamps: "Light under the roof: lamps.", pipes: "Dots at the floor: heating pipes, red when hot.", heat: "Dots at the floor: heating, red when on.",
      carbon: "Small dots in the air: CO₂.", mist: "Haze: moist air.",
    };
    return Object.keys(meanings).filter((name) => name in parts && !(name === "heat" && "pipes" in parts)).map((name) => meanings[name]).join(" ");
  }

  carbon(svg) {
    const group = shape("g", { class: "carbon" }, svg);
    const places = scattered(80, 11);
    return Array.from({ length: 40 }, (_, n) =>
      shape("circle", { cx: 80 + 480 * places[n], cy: 196 + 144 * places[n + 40], r: 2 }, group));
  }

  tomatoes(svg) {
    const sizes = scattered(7, 23);
    return Array.from({ length: 7 }, (_, n) => {
      const plant = shape("g", { transform: `translate(${116 + 68 * n} 346) scale(1 ${0.95 + 0.1 * sizes[n]})` }, svg);
      shape("line", { y1: -140, y2: -168, class: "string" }, plant);
      shape("path", { d: "M0 0C-5 -50 5 -90 0 -146", class: "stem" }, plant);
      for (let leaf = 0; leaf < 10; leaf++) {
        const grown = Math.min(1, 0.55 + 0.09 * (10 - leaf));
        const at = `translate(0 ${-36 - 11.5 * leaf}) scale(${(leaf % 2 ? 1 : -1) * grown} ${grown}) rotate(${leaf % 3 ? 6 : -8})`;
        shape("path", { d: "M0 0C6 -5 9 -12 15 -10C19 -15 25 -12 26 -7C32 -8 34 -2 30 1C30 7 24 8 20 5C15 10 8 6 0 0ZM2 0Q16 -5 29 -1", class: "leaf", transform: at }, plant);
      }
      return Array.from({ length: 9 }, (_, fruit) => {
        const truss = Math.floor(fruit / 3);
        const [x, y] = [[-5, 0], [5, 3], [0, 10]][fruit % 3];
        return shape("circle", { cx: (truss % 2 ? 12 : -12) + x, cy: -28 - 30 * truss + y, class: "fruit" }, plant);
      });
    });
  }

  lettuces(svg) {
    return Array.from({ length: 9 }, (_, n) => {
      const head = shape("g", {}, svg);
      for (const [turn, size] of [[-74, 0.9], [74, 0.9], [-52, 1], [52, 1], [-28, 1.05], [28, 1.05], [-8, 1], [10, 1]]) {
        const leaf = "M0 0C-8 -10 -15 -20 -12 -29C-14 -35 -6 -40 -3 -38C0 -43 6 -40 7 -36C14 -35 14 -26 11 -22C11 -14 6 -8 0 0ZM0 -2Q-1 -20 1 -34";
        shape("path", { d: leaf, class: "leaf lettuce", transform: `rotate(${turn}) scale(${size})` }, head);
      }
      return [head, 102 + 54 * n];
    });
  }

  lights(svg) {
    return this.smooth.has("lamps") ? [132, 258, 382, 508].map((x) => {
      const glow = shape("path", { d: `M${x - 12} 196L${x - 62} 345H${x + 62}L${x + 12} 196Z`, fill: "#ffc9ee" }, svg);
      shape("rect", { x: x - 15, y: 188, width: 30, height: 8, rx: 3, class: "lamp" }, svg);
      return glow;
    }) : [];
  }

  curtain(svg, name) {
    const y = name === "screen" ? 171 : 179;
    return [name, shape("rect", { x: 70, y, width: 0, height: 6, class: name }, svg), shape("rect", { y, height: 6, class: name }, svg)];
  }

  update(run, hour, quickly) {
    const { smooth } = this;
    smooth.follow(run, quickly);
    const light = smooth.at("sun");
    this.sky.update(light, hour);
    const night = hour < 5 || hour > 20;
    const glow = Math.max(night ? 0 : 0.35 + 0.65 * Math.sqrt(light), 0.75 * smooth.at("lamps"));
    change(this.inside[0], { "stop-color": between([[52, 64, 88], [168, 190, 196], [222, 240, 244]], glow) });
    change(this.inside[1], { "stop-color": between([[34, 42, 58], [150, 168, 146], [236, 246, 222]], glow) });
    change(this.beams, { opacity: night ? 0 : 0.5 * light });
    change(this.mist, { opacity: 0.55 * smooth.at("mist") ** 2 });
    change(this.pipes, { fill: between(WARMTH, Math.max(smooth.at("pipes"), 0.8 * smooth.at("heat"))) });
    this.lamps.forEach((each) => change(each, { opacity: 0.6 * smooth.at("lamps") }));
    for (const [name, left, right] of this.screens) {
      const width = 250 * smooth.at(name);
      change(left, { width });
      change(right, { x: 570 - width, width });
    }
    this.vents.forEach(([vent, x, y]) => change(vent, { transform: `translate(${x} ${y}) rotate(${-48 * smooth.at("vent")})` }));
    const shown = 4 + 36 * smooth.at("carbon");
    this.bubbles.forEach((each, n) => change(each, { opacity: n < shown ? 0.8 : 0 }));
    for (const name of ["indoor", "outdoor"]) {
      if (name in smooth.raw) say(this[name], `${smooth.raw[name].toFixed(0)} °C`);
    }
    if (smooth.has("heads")) {
      const size = 0.4 + 1.3 * Math.sqrt(smooth.at("heads"));
      this.plants.forEach(([head, x]) => change(head, { transform: `translate(${x} 346) scale(${size})` }));
    } else {
      const ripe = smooth.at("fruit");
      this.plants.flat().forEach((fruit, n) => {
        change(fruit, { r: 2.4 + 4.2 * ripe, fill: between(RIPE, ripe + 0.14 * ((n * 7) % 5) - 0.25) });
      });
    }
  }
}
