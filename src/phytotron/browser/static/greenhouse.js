// A greenhouse in cross-section: sun and sky, roof with vents, screens, lamps, pipes, plants.

const WARMTH = [[78, 104, 160], [150, 150, 150], [214, 94, 0], [236, 40, 0]];

class GreenhousePicture {
  constructor(svg, parts) {
    change(svg, { viewBox: "0 0 640 400" });
    this.smooth = new Smooth(parts);
    this.sky = new Sky(svg, 640, 400);
    shape("rect", { y: 350, width: 640, height: 50, fill: "#5d4a36" }, svg);
    this.inside = shape("path", { d: "M70 350V170L195 100L320 170L445 100L570 170V350Z", fill: "#f4fbf4" }, svg);
    this.mist = shape("path", { d: "M70 350V170L195 100L320 170L445 100L570 170V350Z", fill: "#b9d4ea" }, svg);
    this.bubbles = this.carbon(svg);
    this.lamps = this.lights(svg);
    this.plants = parts.heads ? this.lettuces(svg) : this.tomatoes(svg);
    this.pipes = shape("g", {}, svg);
    for (let x = 105; x < 560; x += 62) shape("circle", { cx: x, cy: 338, r: 6 }, this.pipes);
    this.screens = ["screen", "blackout"].filter((name) => this.smooth.has(name)).map((name) => this.curtain(svg, name));
    shape("path", { d: "M70 350V170L195 100L320 170V350M320 170L445 100L570 170V350", class: "frame" }, svg);
    this.vents = [[195, 100, 1], [445, 100, 1]].map(([x, y, side]) => {
      const vent = shape("line", { x1: 0, y1: 0, x2: 62 * side, y2: 35, class: "vent" }, svg);
      return [vent, x, y];
    });
  }

  carbon(svg) {
    const group = shape("g", { class: "carbon" }, svg);
    const places = scattered(80, 11);
    return Array.from({ length: 40 }, (_, n) =>
      shape("circle", { cx: 80 + 480 * places[n], cy: 190 + 150 * places[n + 40], r: 2.2 }, group));
  }

  tomatoes(svg) {
    return Array.from({ length: 7 }, (_, n) => {
      const plant = shape("g", { transform: `translate(${116 + 68 * n} 350)` }, svg);
      shape("path", { d: "M0 0C-4 -50 4 -90 0 -138", class: "stem" }, plant);
      for (let leaf = 0; leaf < 9; leaf++) {
        const side = leaf % 2 ? 1 : -1;
        const at = `translate(0 ${-38 - 11.5 * leaf}) scale(${side} 1)`;
        shape("path", { d: "M0 0C8 -12 22 -12 26 -2C20 6 8 6 0 0Z", class: "leaf", transform: at }, plant);
      }
      return Array.from({ length: 6 }, (_, fruit) =>
        shape("circle", { cx: (fruit % 2 ? 9 : -9) + (fruit % 3), cy: -22 - 14 * fruit, class: "fruit" }, plant));
    });
  }

  lettuces(svg) {
    return Array.from({ length: 9 }, (_, n) => {
      const head = shape("g", {}, svg);
      for (const turn of [-62, -38, -14, 14, 38, 62]) {
        shape("path", { d: "M0 0C-13 -16 -9 -34 0 -38C9 -34 13 -16 0 0Z", class: "leaf", transform: `rotate(${turn})` }, head);
      }
      return [head, 102 + 54 * n];
    });
  }

  lights(svg) {
    if (!this.smooth.has("lamps")) return [];
    return [130, 260, 380, 510].map((x) => {
      const glow = shape("path", { d: `M${x - 12} 196L${x - 62} 350H${x + 62}L${x + 12} 196Z`, fill: "#ffd9f2" }, svg);
      shape("rect", { x: x - 15, y: 188, width: 30, height: 8, class: "lamp" }, svg);
      return glow;
    });
  }

  curtain(svg, name) {
    const y = name === "screen" ? 172 : 180;
    return [name, shape("rect", { x: 70, y, width: 0, height: 6, class: name }, svg), shape("rect", { y, height: 6, class: name }, svg)];
  }

  update(run, hour, quickly) {
    const { smooth } = this;
    smooth.follow(run, quickly);
    const light = smooth.at("sun");
    this.sky.update(light, hour);
    const night = hour < 5 || hour > 20;
    const glow = Math.max(night ? 0 : 0.45 + 0.55 * Math.sqrt(light), 0.75 * smooth.at("lamps"));
    change(this.inside, { fill: between([[46, 56, 74], [160, 176, 166], [240, 250, 238]], glow), opacity: 0.94 });
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
    if (smooth.has("heads")) {
      const size = 0.35 + 1.15 * Math.sqrt(smooth.at("heads"));
      this.plants.forEach(([head, x]) => change(head, { transform: `translate(${x} 350) scale(${size})` }));
    } else {
      const ripe = smooth.at("fruit");
      this.plants.flat().forEach((fruit, n) => {
        change(fruit, { r: 2.5 + 4.5 * ripe, fill: between([[120, 170, 60], [240, 140, 40], [205, 40, 30]], ripe + 0.12 * ((n * 7) % 5) - 0.2) });
      });
    }
  }
}
