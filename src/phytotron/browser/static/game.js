// One game: an episode of a person in a window, and those of all rivals beside it.

const YOU = "you";

class Game {
  constructor(task, window) {
    this.task = task;
    this.window = window;
    this.calendar = new Calendar(task.spec.timeline, window.label);
    this.driver = YOU;
    this.wanted = Float64Array.from(task.spec.controls, (each) => each.setting ?? NaN);
    this.decisions = [];
    this.memories = []; // of compiled rivals before each step, so that each can take over at any of them
    this.run = new Run(task, window, () => this.decide());
    this.rivals = task.rivals
      .map((rival, number) => ({ ...rival, colour: number + 1, run: rivalRun(task, rival, window) }))
      .filter(({ run }) => run !== null);
    this.drivers = this.rivals.filter((rival) => rival.function);
  }

  /** The action of the next step, by whoever drives. */
  decide() {
    const { run, task } = this;
    this.decisions.push({ driver: this.driver, wanted: Float64Array.from(this.wanted) });
    const memory = (rival, step) => this.memories[step]?.[rival.name] ?? Float64Array.from(rival.memory);
    const after = {};
    let action = null;
    for (const rival of this.drivers) {
      if (rival.name !== this.driver && !rival.memory.length) continue;
      const [chosen, next] = task.choose(rival, memory(rival, run.step), run);
      after[rival.name] = next;
      if (rival.name === this.driver) action = chosen;
    }
    this.memories[run.step + 1] = after;
    action ??= task.act(this.wanted, run);
    if (task.spec.doses) this.wanted.fill(NaN); // a dose is given once
    return action;
  }

  /** Go on by some steps, or to the end. */
  advance(steps) {
    for (let n = 0; n < steps && !this.run.over; n++) this.run.advance();
  }

  /** Go back to the beginning of a step; sliders stay where they are. */
  back(step) {
    this.run.back(step);
    this.decisions.length = step;
    this.memories.length = step + 1;
  }

  /** Decide again what was decided before, from the beginning. */
  repeat(decisions) {
    for (const { driver, wanted } of decisions) {
      this.driver = driver;
      this.wanted = Float64Array.from(wanted);
      this.advance(1);
    }
  }

  /** Let rivals go on for some milliseconds, whoever is behind first; whether all are at their end. */
  advanceRivals(milliseconds) {
    const until = performance.now() + milliseconds;
    const running = this.rivals.map(({ run }) => run).filter((run) => !run.over);
    while (running.length && performance.now() < until) {
      running.sort((one, other) => one.step - other.step);
      running[0].advance();
      if (running[0].over) running.shift();
    }
    return running.length === 0;
  }
}
