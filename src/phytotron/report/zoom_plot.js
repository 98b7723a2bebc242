// Series to zoom into: a stack of panels over one axis. Wheel or pinch zooms, drag pans, double click shows all again.
"use strict";
(() => {
  const LEFT = 58, RIGHT = 10, TOP = 20, BOTTOM = 13, AXIS = 24;
  const DASH = { solid: [], dashed: [7, 4], dotted: [2, 3] };
  const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
  const STEPS = [1, 2, 2.5, 5, 10], WHOLE = [1, 2, 5, 10];
  const MANY_DAYS = 21; // from which days are drawn as bands where there are too many points
  const CROWDED = 3; // points per pixel, from which a band is drawn instead of all of them
  const TIMES = [1 / 96, 1 / 48, 1 / 24, 1 / 12, 1 / 8, 1 / 4, 1 / 2, 1, 2, 5, 7, 14, 28, 56, 112];

  const make = (tag, attributes, parent) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name === "text") made.textContent = value; else made.setAttribute(name, value);
    }
    if (parent) parent.appendChild(made);
    return made;
  };

  const niceStep = (span, count, steps = STEPS) => {
    const raw = span / count, power = 10 ** Math.floor(Math.log10(raw));
    return power * steps.find((step) => step * power >= 0.999 * raw);
  };

  const tidy = (value, step) => {
    if (step < 1e-4 || step >= 1e6) return readable(Math.abs(value) < 1e-3 * step ? 0 : value).replaceAll(" ", "");
    const digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9) + (/^25/.test(step.toPrecision(2).replace(/[.0]/g, "")) ? 1 : 0)));
    return (Math.abs(value) < 1e-12 ? 0 : value).toFixed(digits);
  };

  // Numbers as people write them: 4.47 × 10⁻⁷, not 4.47e-7; 0 for what is nothing beside the largest.
  const readable = (value, largest = Math.abs(value)) => {
    if (value === 0 || Math.abs(value) < 1e-4 * largest) return "0";
    if (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6) return String(value).replace("-", "−");
    const [digits, power] = value.toExponential(2).split("e");
    const raised = [...String(Number(power))].map((each) => each === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[each]).join("");
    return `${String(Number(digits)).replace("-", "−")} × 10${raised}`;
  };

  class Zoom {
    constructor(box) {
      this.data = JSON.parse(box.querySelector("script").textContent);
      this.box = box;
      this.window = 0;
      this.hidden = new Set(this.data.channels.filter((each) => each.hidden).map((each) => each.name));
      this.off = new Set();
      this.pointers = new Map();
      this.hover = null;
      this.build();
      this.reset();
      new ResizeObserver(() => this.draw()).observe(this.canvas.parentElement);
    }

    build() {
      const bar = make("div", { class: "zoom-bar" }, this.box);
      if (this.data.windows.length > 1) {
        const choice = make("select", { "aria-label": "window" }, bar);
        this.data.windows.forEach((each, n) => make("option", { value: n, text: each.label }, choice));
        choice.addEventListener("change", () => { this.window = Number(choice.value); this.reset(); });
      }
      for (const [text, label, act] of [
        ["+", "zoom in", () => this.zoom(0.5)], ["−", "zoom out", () => this.zoom(2)],
        ["all", "show all", () => this.reset()],
      ]) {
        make("button", { type: "button", text, "aria-label": label, title: label }, bar).addEventListener("click", act);
      }
      this.data.controllers.forEach((each, n) => {
        const key = make("button", { type: "button", class: "key", "aria-pressed": "true" }, bar);
        const mark = make("i", {}, key);
        mark.style.borderTop = `3px ${each.dash} ${each.colour}`;
        key.append(each.label);
        key.addEventListener("click", () => this.toggle(this.off, n, key));
      });
      make("button", { type: "button", text: "CSV", title: "save all series of this window" }, bar)
        .addEventListener("click", () => this.save());
      this.read = make("p", { class: "zoom-read", "aria-live": "polite" }, this.box);
      this.canvas = make("canvas", { tabindex: "0", "aria-label": "series; arrows move, + and - zoom, 0 shows all" },
        make("div", { class: "zoom-canvas" }, this.box));
      const more = make("details", {}, this.box);
      make("summary", { text: `Choose among ${this.data.channels.length} quantities` }, more);
      const chips = make("div", { class: "zoom-bar" }, more);
      for (const each of this.data.channels) {
        const pressed = String(!this.hidden.has(each.name));
        const chip = make("button", { type: "button", class: "chip", "aria-pressed": pressed, text: each.label }, chips);
        chip.addEventListener("click", () => this.toggle(this.hidden, each.name, chip));
      }
      this.listen();
    }

    // All series of the window that is shown: names in the first line, units in the second.
    csv() {
      const { x, series, origin } = this.data.windows[this.window];
      const columns = this.data.channels.flatMap((channel) => (series[channel.name] || []).map((values, n) => ({
        name: channel.name + (channel.common || this.data.controllers.length === 1 ? "" : ` (${this.data.controllers[n].label})`),
        unit: channel.unit || "-", values,
      })));
      const time = (value) => origin
        ? new Date(Date.parse(origin + "T00:00:00Z") + Math.round(value * 86400) * 1000).toISOString().slice(0, 19) : value;
      const quoted = (text) => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
      const lines = [["time", ...columns.map((each) => each.name)], [origin ? "UTC" : "step", ...columns.map((each) => each.unit)]];
      x.forEach((value, k) => lines.push([time(value), ...columns.map((each) => each.values[k] ?? "")]));
      return lines.map((line) => line.map((cell) => quoted(String(cell))).join(",")).join("\n") + "\n";
    }

    save() {
      const name = `${this.data.windows[this.window].label.replace(/[^\w-]+/g, "_")}.csv`;
      make("a", { download: name, href: `data:text/csv;charset=utf-8,${encodeURIComponent(this.csv())}` }).click();
    }

    toggle(set, name, button) {
      if (set.has(name)) set.delete(name); else set.add(name);
      button.setAttribute("aria-pressed", String(!set.has(name)));
      this.draw();
    }

    listen() {
      const canvas = this.canvas;
      canvas.addEventListener("wheel", (event) => {
        const whole = this.span() >= this.full[1] - this.full[0];
        if (whole && event.deltaY > 0) return; // nothing to zoom out of: let the page scroll
        event.preventDefault();
        this.zoom(Math.exp(0.0015 * Math.max(-400, Math.min(400, event.deltaY))), this.valueAt(event.offsetX));
      }, { passive: false });
      canvas.addEventListener("pointerdown", (event) => {
        try { canvas.setPointerCapture(event.pointerId); } catch (error) { /* not a real pointer */ }
        this.pointers.set(event.pointerId, event.offsetX);
      });
      canvas.addEventListener("pointermove", (event) => this.moved(event));
      for (const end of ["pointerup", "pointercancel"]) {
        canvas.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
      }
      canvas.addEventListener("pointerleave", () => { this.hover = null; this.draw(); });
      canvas.addEventListener("dblclick", () => this.reset());
      canvas.addEventListener("keydown", (event) => {
        const acts = {
          ArrowLeft: () => this.pan(-0.2 * this.span()), ArrowRight: () => this.pan(0.2 * this.span()),
          "+": () => this.zoom(0.5), "-": () => this.zoom(2), 0: () => this.reset(),
        };
        if (acts[event.key]) { event.preventDefault(); acts[event.key](); }
      });
    }

    moved(event) {
      const before = this.pointers.get(event.pointerId);
      if (before !== undefined) {
        const others = [...this.pointers.entries()].filter(([id]) => id !== event.pointerId);
        if (others.length) {
          const fixed = others[0][1];
          const was = Math.abs(before - fixed), is = Math.abs(event.offsetX - fixed);
          if (was > 10 && is > 10) this.zoom(was / is, this.valueAt(fixed));
        } else {
          this.pan(this.valueAt(before) - this.valueAt(event.offsetX));
        }
        this.pointers.set(event.pointerId, event.offsetX);
      }
      this.hover = this.valueAt(event.offsetX);
      this.draw();
    }

    span() { return this.view[1] - this.view[0]; }
    plotWidth() { return Math.max(50, this.canvas.clientWidth - LEFT - RIGHT); }
    valueAt(pixel) { return this.view[0] + this.span() * (pixel - LEFT) / this.plotWidth(); }
    pixelAt(value) { return LEFT + this.plotWidth() * (value - this.view[0]) / this.span(); }

    reset() {
      const x = this.data.windows[this.window].x;
      this.full = x.length > 1 ? [x[0], x[x.length - 1]] : [0, 1];
      this.view = [...this.full];
      this.draw();
    }

    zoom(factor, about) {
      const centre = about === undefined ? 0.5 * (this.view[0] + this.view[1]) : about;
      const x = this.data.windows[this.window].x;
      const least = 4 * (this.full[1] - this.full[0]) / Math.max(4, x.length - 1);
      const span = Math.min(this.full[1] - this.full[0], Math.max(least, factor * this.span()));
      const left = centre - span * (centre - this.view[0]) / this.span();
      this.view = this.within(left, span);
      this.draw();
    }

    pan(by) { this.view = this.within(this.view[0] + by, this.span()); this.draw(); }

    within(left, span) {
      const start = Math.min(Math.max(left, this.full[0]), this.full[1] - span);
      return [start, start + span];
    }

    date(value, withTime) {
      const origin = this.data.windows[this.window].origin;
      if (!origin) return tidy(value, 1);
      const when = new Date(Date.parse(origin + "T00:00:00Z") + Math.round(value * 86400) * 1000);
      const day = `${when.getUTCDate()} ${MONTHS[when.getUTCMonth()]}`;
      const clock = `${String(when.getUTCHours()).padStart(2, "0")}:${String(when.getUTCMinutes()).padStart(2, "0")}`;
      return withTime ? (clock === "00:00" ? day : clock) : (this.data.clock ? `${day} ${clock}` : day);
    }

    xTicks() {
      const count = Math.max(2, Math.floor(this.plotWidth() / 75)), raw = this.span() / count;
      const dated = Boolean(this.data.windows[this.window].origin);
      if (dated && this.span() > 60) return this.months(count);
      const step = dated ? TIMES.find((each) => each >= raw) || TIMES[TIMES.length - 1] : Math.max(1, niceStep(this.span(), count, WHOLE));
      const ticks = [];
      for (let n = Math.ceil(this.view[0] / step - 1e-6); n * step <= this.view[1] + 1e-9; n++) ticks.push(n * step);
      return ticks;
    }

    months(count) {
      const origin = new Date(Date.parse(this.data.windows[this.window].origin + "T00:00:00Z")), ticks = [];
      for (let n = 0; n < 36; n++) {
        const day = (Date.UTC(origin.getUTCFullYear(), origin.getUTCMonth() + n, 1) - origin) / 86400000;
        if (day >= this.view[0] && day <= this.view[1]) ticks.push(day);
      }
      const every = Math.ceil(ticks.length / count);
      return ticks.filter((_, n) => n % every === 0);
    }

    draw() {
      const width = this.canvas.clientWidth;
      if (!width || !this.view) return;
      const shown = this.data.channels.filter((each) => !this.hidden.has(each.name));
      const panel = width < 500 ? 118 : 134;
      const height = shown.length * panel + AXIS;
      const scale = window.devicePixelRatio || 1;
      this.canvas.style.height = `${height}px`;
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
      const pen = this.canvas.getContext("2d");
      pen.setTransform(scale, 0, 0, scale, 0, 0);
      pen.font = "12px system-ui, sans-serif";
      pen.lineJoin = "round";
      const ticks = this.xTicks();
      shown.forEach((channel, n) => this.panel(pen, channel, n * panel, panel, width, ticks));
      pen.fillStyle = "#555";
      pen.textAlign = "center";
      for (const tick of ticks) {
        const text = this.date(tick, true);
        const half = 0.5 * pen.measureText(text).width;
        pen.fillText(text, Math.min(Math.max(this.pixelAt(tick), LEFT), width - half - 1), height - 8);
      }
      if (!this.data.windows[this.window].origin) {
        pen.textAlign = "left";
        pen.fillText("step", 4, height - 8);
      }
      this.readOut(shown);
    }

    panel(pen, channel, top, size, width, ticks) {
      const series = this.data.windows[this.window].series[channel.name] || [];
      const x = this.data.windows[this.window].x;
      const low = top + TOP, high = top + size - BOTTOM;
      const [from, to] = this.indices(x);
      let least = Infinity, most = -Infinity;
      series.forEach((values, n) => {
        if (this.off.has(n) && !channel.common) return;
        for (let k = from; k <= to; k++) {
          if (values[k] === null) continue;
          if (values[k] < least) least = values[k];
          if (values[k] > most) most = values[k];
        }
      });
      if (least > most) { least = 0; most = 1; }
      const margin = most - least < 1e-9 ? 0.5 * Math.max(1, Math.abs(most)) : 0.06 * (most - least);
      const bottom = least === 0 ? 0 : least - margin, ceiling = most + margin;
      const down = (value) => high - (high - low) * (value - bottom) / (ceiling - bottom);
      pen.fillStyle = "#333";
      pen.textAlign = "left";
      pen.fillText(channel.label + (channel.unit ? ` [${channel.unit}]` : ""), 4, top + 11);
      pen.lineWidth = 1;
      pen.strokeStyle = "#eee";
      for (const tick of ticks) this.segment(pen, this.pixelAt(tick), low, this.pixelAt(tick), high);
      const step = niceStep(ceiling - bottom, 4);
      pen.textAlign = "right";
      for (let n = Math.ceil(bottom / step - 1e-9); n * step <= ceiling + 1e-9; n++) {
        pen.strokeStyle = "#e3e3e3";
        this.segment(pen, LEFT, down(n * step), width - RIGHT, down(n * step));
        pen.fillStyle = "#555";
        pen.fillText(tidy(n * step, step), LEFT - 6, down(n * step) + 4);
      }
      pen.save();
      pen.beginPath();
      pen.rect(LEFT, low - 2, width - LEFT - RIGHT, high - low + 4);
      pen.clip();
      series.forEach((values, n) => {
        if (this.off.has(n) && !channel.common) return;
        const controller = channel.common ? { colour: "#777", dash: "solid" } : this.data.controllers[n];
        pen.strokeStyle = controller.colour;
        if (to - from > CROWDED * this.plotWidth()) {
          this.band(pen, x, values, from, to, down, controller.colour);
          if (this.hover !== null) this.dot(pen, x, values, controller.colour, down);
          return;
        }
        const dense = to - from > 250; // dashes of lines that go up and down all the time are only noise
        pen.setLineDash(dense ? [] : DASH[controller.dash]);
        pen.lineWidth = dense ? 1.2 : 1.7;
        pen.beginPath();
        let drawing = false;
        for (let k = Math.max(0, from - 1); k <= Math.min(x.length - 1, to + 1); k++) {
          if (values[k] === null) { drawing = false; continue; }
          const left = this.pixelAt(x[k]), y = down(values[k]);
          if (drawing) pen.lineTo(left, y); else pen.moveTo(left, y);
          drawing = true;
        }
        pen.stroke();
        pen.setLineDash([]);
        if (this.hover !== null) this.dot(pen, x, values, controller.colour, down);
      });
      if (this.hover !== null) {
        pen.strokeStyle = "#999";
        pen.lineWidth = 1;
        this.segment(pen, this.pixelAt(this.hover), low, this.pixelAt(this.hover), high);
      }
      pen.restore();
    }

    // Whether days are bands: where so many are shown that their course cannot be.
    daily() { return this.data.clock && this.span() > MANY_DAYS; }

    // Of more points than there are pixels: the range of every day, or of every pixel, and its mean as a line.
    band(pen, x, values, from, to, down, colour) {
      const size = Math.max(this.span() / this.plotWidth(), this.daily() ? 1 : 0), parts = new Map();
      for (let k = from; k <= to; k++) {
        if (values[k] === null) continue;
        const place = Math.floor(x[k] / size + 1e-9);
        if (!parts.has(place)) parts.set(place, { low: Infinity, high: -Infinity, sum: 0, count: 0 });
        const part = parts.get(place);
        part.low = Math.min(part.low, values[k]);
        part.high = Math.max(part.high, values[k]);
        part.sum += values[k];
        part.count += 1;
      }
      const points = [...parts].map(([place, part]) => ({ left: this.pixelAt((place + 0.5) * size), ...part }));
      const path = (line, of) => line.forEach((each) => pen.lineTo(each.left, down(of(each))));
      pen.beginPath();
      path(points, (each) => each.high);
      path([...points].reverse(), (each) => each.low);
      pen.fillStyle = colour;
      pen.globalAlpha = 0.22;
      pen.fill();
      pen.globalAlpha = 1;
      pen.lineWidth = 1.5;
      pen.beginPath();
      path(points, (each) => each.sum / each.count);
      pen.stroke();
    }

    dot(pen, x, values, colour, down) {
      const k = this.nearest(x, this.hover);
      if (values[k] === null) return;
      pen.fillStyle = colour;
      pen.beginPath();
      pen.arc(this.pixelAt(x[k]), down(values[k]), 3, 0, 7);
      pen.fill();
    }

    segment(pen, x1, y1, x2, y2) {
      pen.beginPath(); pen.moveTo(x1, y1); pen.lineTo(x2, y2); pen.stroke();
    }

    indices(x) {
      let from = this.nearest(x, this.view[0]), to = this.nearest(x, this.view[1]);
      return [from, to];
    }

    nearest(x, value) {
      let low = 0, high = x.length - 1;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (x[middle] < value) low = middle; else high = middle;
      }
      return Math.abs(x[low] - value) < Math.abs(x[high] - value) ? low : high;
    }

    readOut(shown) {
      const { x, series } = this.data.windows[this.window];
      if (this.hover === null || this.pointers.size > 1) {
        const [from, to] = this.indices(x), crowded = to - from > CROWDED * this.plotWidth();
        const part = this.daily() ? "a day" : "some steps";
        const band = crowded ? ` Seen from afar, a line is the mean of ${part} and its band the range.` : "";
        this.read.textContent = `Wheel or pinch zooms, drag moves, double click shows all; point at a time to read values.${band}`;
        return;
      }
      const k = this.nearest(x, this.hover);
      const largest = (channel) => (series[channel.name] || []).flat().reduce((most, each) => Math.max(most, Math.abs(each)), 0);
      const texts = shown.map((channel) => {
        const values = (series[channel.name] || []).map((each, n) => [each[k], n])
          .filter(([value, n]) => value !== null && (channel.common || !this.off.has(n)));
        return values.length ? `${channel.label} ${values.map(([value]) => readable(value, largest(channel))).join(" | ")} ${channel.unit}`.trim() : "";
      });
      const names = this.data.controllers.filter((_, n) => !this.off.has(n)).map((each) => each.label).join(" | ");
      this.read.textContent = `${this.data.windows[this.window].origin ? this.date(x[k], false) : `step ${x[k]}`} (${names}): ` + texts.filter(Boolean).join("; ");
    }
  }

  window.phytotronZooms = [...document.querySelectorAll(".zoom")].map((box) => new Zoom(box));
})();
