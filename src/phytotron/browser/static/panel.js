// Sliders and choices: what a person sets.

class Panel {
  /** `taken()` is called when a person moves anything. */
  constructor(parent, game, taken) {
    this.game = game;
    this.taken = taken;
    parent.replaceChildren();
    const { doses } = game.task.spec;
    this.rows = game.task.spec.controls.map((control, place) =>
      doses && control.choices ? this.choices(parent, control, place) : this.slider(parent, control, place));
  }

  set(place, value) {
    this.game.wanted[place] = value;
    this.taken();
  }

  slider(parent, control, place) {
    const { low, high, setting, choices } = control;
    const id = `control-${control.name}`;
    const row = document.createElement("div");
    const ruled = setting === null && this.game.task.spec.left_alone === "ruled"; // where a person sets nothing
    row.className = ruled ? "control" : "control whole";
    const label = Object.assign(document.createElement("label"), { htmlFor: id, textContent: setting === null ? plainWords(control.name) : written(control.description), title: control.description });
    const output = Object.assign(document.createElement("output"), { htmlFor: id });
    const input = Object.assign(document.createElement("input"), { type: "range", id, min: low, max: high });
    input.step = choices ? choices[1] - choices[0] : (high - low) / 100;
    input.addEventListener("input", () => this.set(place, Number(input.value)));
    row.append(label, output, input);
    let auto = null;
    if (ruled) {
      auto = Object.assign(document.createElement("input"), { type: "checkbox", id: `${id}-auto` });
      const beside = Object.assign(document.createElement("label"), { htmlFor: auto.id, className: "auto", textContent: "auto" });
      beside.title = "the grower's rules decide";
      beside.prepend(auto);
      auto.addEventListener("change", () => this.set(place, auto.checked ? NaN : Number(input.value)));
      row.append(beside);
    }
    parent.append(row);
    return () => {
      const wanted = this.game.wanted[place];
      const driven = this.game.driver !== YOU;
      const actual = this.game.run.last(control.name);
      const value = Number.isNaN(wanted) || (driven && actual !== undefined) ? (actual ?? low) : wanted;
      if (document.activeElement !== input || Number.isNaN(wanted)) input.value = value;
      if (auto) auto.checked = Number.isNaN(wanted);
      output.textContent = this.shown(control, value);
      row.classList.toggle("automatic", driven || (ruled && Number.isNaN(wanted)));
    };
  }

  shown({ unit, low, high }, value) {
    if (low === 0 && high === 1) return `${Math.round(100 * value)} %`;
    return `${rounded(value)} ${pretty(unit)}`;
  }

  choices(parent, control, place) {
    const group = document.createElement("fieldset");
    const legend = Object.assign(document.createElement("legend"), { textContent: `${plainWords(control.name)} at the next decision [${pretty(control.unit)}]` });
    group.append(legend);
    const buttons = control.choices.map((amount) => {
      const id = `control-${control.name}-${amount}`;
      const input = Object.assign(document.createElement("input"), { type: "radio", name: control.name, id, value: amount });
      input.addEventListener("change", () => this.set(place, amount === 0 ? NaN : amount));
      const label = Object.assign(document.createElement("label"), { htmlFor: id, textContent: amount });
      group.append(input, label);
      return input;
    });
    parent.append(group);
    return () => {
      const wanted = this.game.wanted[place];
      buttons.forEach((each) => (each.checked = Number(each.value) === (Number.isNaN(wanted) ? 0 : wanted)));
    };
  }

  update() {
    this.rows.forEach((row) => row());
  }
}
