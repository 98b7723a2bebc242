// Episodes: the task as it was compiled, and runs of it under a person or a rival.

/** The compiled task with its windows; `spec` is what the page says about it. */
class Task {
  constructor(spec, read, functions) {
    this.spec = spec;
    this.functions = functions;
    this.places = spec.places.map((place) => ({
      ...place,
      windows: place.windows.map((each) => ({
        label: each.label,
        head: Float64Array.of(...read(each.state), ...read(each.observation)),
        given: each.given.map(read),
      })),
    }));
    this.place = this.places[0]; // the greenhouse or field that is run
    const { state, observation, action } = spec.sizes;
    this.head = state + observation;
    this.width = this.head + 3 + spec.measures.length + spec.channels.length; // of what a step gives
    this.action = action;
    this.prices = Object.fromEntries(spec.prices.map(({ name, value }) => [name, value]));
    this.measures = ["return", ...spec.measures.map((each) => each.name)];
    this.channels = spec.channels.map((each) => each.name);
    this.rivals = spec.rivals.map((each) => ({
      ...each,
      actions: entries(each.actions, ({ values, low, span }) => read(values).map((part) => low + span * part)),
      outcomes: entries(each.outcomes, ([place, width]) => rows(read(place), width)),
    }));
  }

  get windows() {
    return this.place.windows;
  }

  /** Whether place and prices are those that recorded rivals were planned for. */
  get original() {
    return this.place === this.places[0] && Object.keys(this.changedPrices()).length === 0;
  }

  /** Set a price in all windows of all places. */
  setPrice(price, value) {
    this.prices[price.name] = value;
    for (const { given } of this.places.flatMap((each) => each.windows)) given[price.place] = Float64Array.of(value);
  }

  /** Prices that are not the original ones, by name. */
  changedPrices() {
    return Object.fromEntries(this.spec.prices.map(({ name, value }) => [name, this.prices[name], value])
      .filter(([, now, value]) => now !== value));
  }

  /** The action of what a person wants (NaN: nothing) in a state. */
  act(wanted, run) {
    return this.call("act", [wanted, run.head.subarray(0, this.spec.sizes.state)], this.action, run.window);
  }

  /** The action of a compiled rival, and what it remembers from now on. */
  choose(rival, memory, run) {
    const { state } = this.spec.sizes;
    const inputs = [memory, run.head.subarray(state), run.head.subarray(0, state)];
    const found = this.call(rival.function, inputs, this.action + memory.length, run.window);
    return [found.subarray(0, this.action), found.subarray(this.action)];
  }

  call(name, inputs, size, window) {
    const input = new Float64Array(inputs.reduce((sum, each) => sum + each.length, 0));
    let begin = 0;
    for (const each of inputs) {
      input.set(each, begin);
      begin += each.length;
    }
    const output = new Float64Array(size);
    this.functions[name](input, output, window.given);
    return output;
  }
}

/** An episode from a window, step by step, with all that happened. `choose(run)` gives the action of a step. */
class Run {
  constructor(task, window, choose) {
    this.task = task;
    this.window = window;
    this.choose = choose;
    this.heads = [window.head]; // state and observation before each step
    this.actions = [];
    this.sums = [new Float64Array(task.measures.length)]; // of the measures, before each step
    this.series = task.channels.map(() => []);
    this.over = false;
  }

  get step() {
    return this.actions.length;
  }

  get head() {
    return this.heads[this.step];
  }

  advance() {
    const { task } = this;
    const action = this.choose(this);
    const made = task.call("step", [this.head, action], task.width, this.window);
    const [reward, terminated, truncated] = made.subarray(task.head, task.head + 3);
    const measured = made.subarray(task.head + 3, task.head + 3 + task.spec.measures.length);
    const sums = Float64Array.from(this.sums[this.step]);
    [reward, ...measured].forEach((each, place) => (sums[place] += each));
    made.subarray(task.width - task.channels.length).forEach((value, place) => this.series[place].push(value));
    this.actions.push(Float64Array.from(action));
    this.heads.push(made.slice(0, task.head));
    this.sums.push(sums);
    this.over = terminated !== 0 || truncated !== 0 || this.step >= task.spec.steps;
  }

  /** Go back to the beginning of a step. */
  back(step) {
    this.actions.length = step;
    this.heads.length = step + 1;
    this.sums.length = step + 1;
    this.series.forEach((each) => (each.length = step));
    this.over = false;
  }

  /** The last value of a channel, or undefined. */
  last(name) {
    const place = this.task.channels.indexOf(name);
    return place < 0 ? undefined : this.series[place][this.step - 1];
  }

  /** Totals of the episode after some steps, by name of a measure. */
  totals(step = this.step) {
    const at = Math.min(step, this.sums.length - 1);
    const means = new Map(this.task.spec.measures.map((each) => [each.name, each.mean]));
    return Object.fromEntries(
      this.task.measures.map((name, place) => [name, this.sums[at][place] / (means.get(name) ? Math.max(at, 1) : 1)]),
    );
  }
}

/** A rival's own episode in a window; null where it has none there. */
function rivalRun(task, rival, window) {
  if (rival.function) {
    let memory = Float64Array.from(rival.memory);
    return new Run(task, window, (run) => {
      const [action, after] = task.choose(rival, memory, run);
      memory = after;
      return action;
    });
  }
  const actions = rival.actions[window.label];
  if (actions) {
    const last = actions.length / task.action - 1;
    return new Run(task, window, (run) => {
      const at = Math.min(run.step, last) * task.action;
      return actions.subarray(at, at + task.action);
    });
  }
  const outcomes = task.original ? rival.outcomes[window.label] : undefined;
  return outcomes ? new Recording(task, outcomes) : null;
}

/** What happened to a rival in a variant of the task: sums of the measures alone. */
class Recording extends Run {
  constructor(task, outcomes) {
    super(task, { head: new Float64Array(task.head), given: [] }, null);
    for (const row of outcomes) this.sums.push(this.sums.at(-1).map((sum, place) => sum + row[place]));
    this.over = true;
  }
}

function entries(object, make) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, make(value)]));
}

function rows(values, width) {
  return Array.from({ length: values.length / width }, (_, n) => values.subarray(n * width, (n + 1) * width));
}
