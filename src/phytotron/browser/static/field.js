// A field in cross-section: sky, one crop or two in rows, soil with roots and nitrogen.

const RIPENING = [[74, 142, 60], [110, 158, 60], [205, 176, 80], [222, 188, 100]];

class FieldPicture {
  constructor(svg, parts) {
    change(svg, { viewBox: "0 0 640 400" });
    this.smooth = new Smooth(parts);
    this.sky = new Sky(svg, 640, 400);
    shape("rect", { y: 290, width: 640, height: 110, fill: "#6b5138" }, svg);
    shape("rect", { y: 290, width: 640, height: 10, fill: "#4f3d2b" }, svg);
    this.nitrogen = this.dots(svg);
    this.granules = this.grains(svg);
    const second = "second_leaves" in parts;
    this.rows = Array.from({ length: 16 }, (_, n) => {
      const legume = second && n % 4 >= 2;
      const plant = shape("g", {}, svg);
      const made = legume ? this.legume(plant) : this.cereal(plant);
      return { plant, legume, x: 28 + 39 * n, ...made };
    });
  }

  dots(svg) {
    const group = shape("g", { class: "nitrogen" }, svg);
    const places = scattered(180, 3);
    return Array.from({ length: 90 }, (_, n) =>
      shape("circle", { cx: 8 + 624 * places[n], cy: 306 + 86 * places[n + 90], r: 2.4 }, group));
  }

  grains(svg) {
    const group = shape("g", { class: "granules" }, svg);
    const places = scattered(60, 5);
    return Array.from({ length: 60 }, (_, n) => shape("circle", { cx: 8 + 624 * places[n], cy: 287, r: 2.6 }, group));
  }

  cereal(plant) {
    const roots = shape("path", { d: "M0 0C-6 22 -10 40 -6 64M0 0C4 26 10 44 8 72M0 0V56", class: "root" }, plant);
    const top = shape("g", {}, plant);
    const blades = ["M0 0C-2 -40 -3 -80 -1 -112", "M0 -20C-14 -44 -22 -60 -26 -58", "M0 -36C14 -60 22 -74 27 -70", "M0 -56C-12 -76 -18 -88 -22 -85"];
    const leaves = blades.map((d) => shape("path", { d, class: "blade" }, top));
    const ear = shape("ellipse", { cx: -1, cy: -120, rx: 5, ry: 15 }, top);
    return { top, leaves, ear, roots };
  }

  legume(plant) {
    const roots = shape("path", { d: "M0 0C-4 18 -12 30 -14 44M0 0C6 22 12 34 14 50M0 0V46", class: "root" }, plant);
    const top = shape("g", {}, plant);
    const leaves = [shape("path", { d: "M0 0C2 -30 -2 -60 0 -84", class: "blade" }, top)];
    for (let n = 0; n < 8; n++) {
      const x = n % 2 ? 12 : -12;
      leaves.push(shape("ellipse", { cx: x, cy: -14 - 10 * n, rx: 12, ry: 6.5, class: "bush" }, top));
    }
    const ear = shape("path", { d: "M-14 -26q6 12 2 22M14 -40q-6 12 -2 22M-12 -56q6 12 2 22", class: "pod" }, top);
    return { top, leaves, ear, roots };
  }

  update(run, hour, quickly) {
    const { smooth } = this;
    smooth.follow(run, quickly);
    this.sky.update(0.8, NaN);
    const done = run.step / run.task.spec.steps;
    const ripe = Math.max(0, (done - 0.62) / 0.34);
    for (const { plant, top, leaves, ear, roots, legume, x } of this.rows) {
      const leaf = smooth.at(legume ? "second_leaves" : "leaves");
      const grain = smooth.at(legume ? "second_grain" : "grain");
      const size = Math.max(0.12, 0.16 + 1.1 * Math.max(Math.sqrt(leaf), ripe > 0 ? 0.85 : 0, Math.sqrt(grain) * 0.9));
      change(plant, { transform: `translate(${x} 292)` });
      change(top, { transform: `scale(${0.4 + 0.6 * size} ${size})` });
      change(roots, { transform: `scale(${size})` });
      const colour = between(RIPENING, ripe);
      leaves.forEach((each) => change(each, { stroke: colour, fill: legume ? colour : "none" }));
      change(ear, { opacity: Math.min(1, 8 * grain), fill: legume ? "none" : between(RIPENING, ripe + 0.3), stroke: between(RIPENING, ripe + 0.3) });
    }
    const shown = 90 * smooth.at("nitrogen");
    this.nitrogen.forEach((each, n) => change(each, { opacity: n < shown ? 0.95 : 0 }));
    const given = 60 * smooth.at("dose");
    this.granules.forEach((each, n) => change(each, { opacity: n < given ? 1 : 0 }));
  }
}

/** No picture of its own: the sky alone. */
class PlainPicture {
  constructor(svg) {
    change(svg, { viewBox: "0 0 640 120" });
    this.sky = new Sky(svg, 640, 120);
  }

  update(run, hour) {
    this.sky.update(0.8, hour);
  }
}

const PICTURES = { greenhouse: GreenhousePicture, field: FieldPicture, none: PlainPicture };
