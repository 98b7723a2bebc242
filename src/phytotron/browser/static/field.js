// A field in cross-section: sky, one crop or two in rows, soil with roots and nitrogen.

const RIPENING = [[74, 142, 60], [110, 158, 60], [205, 176, 80], [222, 188, 100]];

class FieldPicture {
  constructor(svg, parts) {
    change(svg, { viewBox: "0 0 640 400" });
    this.smooth = new Smooth(parts);
    this.sky = new Sky(svg, 640, 400);
    shape("path", { d: "M0 276Q120 244 300 268T640 250V300H0Z", class: "hill" }, svg);
    this.rain = this.drops(svg);
    this.behind = this.distant(svg);
    shape("rect", { y: 290, width: 640, height: 110, class: "soil" }, svg);
    shape("path", { d: "M0 292q8 -6 16 0t16 0" + "t16 0".repeat(38) + "V300H0Z", class: "topsoil" }, svg);
    this.nitrogen = this.dots(svg);
    this.granules = this.grains(svg);
    const second = "second_leaves" in parts;
    const [tall, leans] = [scattered(16, 31), scattered(16, 41)];
    this.rows = Array.from({ length: 16 }, (_, n) => {
      const legume = second && n % 4 >= 2;
      const plant = shape("g", {}, svg);
      const made = legume ? this.legume(plant) : this.cereal(plant);
      return { plant, legume, x: 28 + 39 * n, tall: 0.92 + 0.16 * tall[n], lean: 8 * leans[n] - 4, ...made };
    });
  }

  /** What the parts of the picture mean. */
  static caption(parts) {
    const crops = "second_leaves" in parts ? "Two crops in strips: the tall one is crop 1, the bushy one crop 2. " : "";
    return `${crops}Blue dots in the soil: nitrogen that roots can take up. White grains: fertiliser. Ears and pods fill towards the harvest.`;
  }

  /** Rain, drawn in steps in which it fell. */
  drops(svg) {
    const group = shape("g", { class: "rain" }, svg);
    const places = scattered(100, 13);
    for (let n = 0; n < 50; n++) {
      const [x, y] = [640 * places[n], 110 + 160 * places[n + 50]];
      shape("line", { x1: x, y1: y, x2: x - 4, y2: y + 14 }, group);
    }
    return group;
  }

  /** Rows further away, as a band whose height and colour follow the crop. */
  distant(svg) {
    const places = scattered(65, 17);
    const tips = Array.from({ length: 65 }, (_, n) => `L${10 * n} ${-34 - 10 * places[n]}`).join("");
    return shape("path", { d: `M0 2${tips}L640 2Z` }, svg);
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
    const ear = shape("path", { d: "M-1 -105C-8 -112 -7 -128 -1 -137C5 -128 6 -112 -1 -105ZM-1 -120L-9 -146M-1 -124L-1 -152M-1 -120L7 -146", class: "ear" }, top);
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
    const wet = Math.min(1, fallen(run) / 30); // all of it, in a step with 30 mm
    this.sky.update(0.8, NaN, 0.15 + 0.8 * wet);
    change(this.rain, { opacity: wet });
    const done = run.step / run.task.spec.steps;
    const ripe = Math.max(0, (done - 0.62) / 0.34);
    const height = Math.max(Math.sqrt(smooth.at("leaves")), ripe > 0 ? 0.85 : 0);
    change(this.behind, { transform: `translate(0 290) scale(1 ${0.1 + height})`, fill: between(RIPENING, ripe), opacity: 0.55 });
    for (const { plant, top, leaves, ear, roots, legume, x, tall, lean } of this.rows) {
      const leaf = smooth.at(legume ? "second_leaves" : "leaves");
      const grain = smooth.at(legume ? "second_grain" : "grain");
      const size = Math.max(0.12, 0.16 + 1.1 * Math.max(Math.sqrt(leaf), ripe > 0 ? 0.85 : 0, Math.sqrt(grain) * 0.9));
      change(plant, { transform: `translate(${x} 292)` });
      change(top, { transform: `rotate(${lean}) scale(${0.4 + 0.6 * size} ${size * tall})` });
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

/** Rain of the last step [mm]; 0 where the task has no sum of it. */
function fallen(run) {
  const place = run.task.channels.indexOf("rain");
  if (place < 0 || run.step === 0) return 0;
  return run.series[place][run.step - 1] - (run.series[place][run.step - 2] ?? 0);
}

/** No picture of its own: the sky alone. */
class PlainPicture {
  constructor(svg) {
    change(svg, { viewBox: "0 0 640 120" });
    this.sky = new Sky(svg, 640, 120);
  }

  static caption() {
    return "";
  }

  update(run, hour) {
    this.sky.update(0.8, hour, 0.2);
  }
}

const PICTURES = { greenhouse: GreenhousePicture, field: FieldPicture, none: PlainPicture };
