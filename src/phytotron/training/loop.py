"""Training in a folder: chunk after chunk of updates, with metrics, checkpoints, evaluations and policies.

After any interruption, such as Ctrl-C, a crash or a power cut, `resume` continues from the last good checkpoint. On one
machine with one version of JAX, the result on the CPU is bit for bit that of an uninterrupted run.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.agents.base import Agent, checked_update
from phytotron.agents.policy_files import save_policy
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.memory import enough_memory
from phytotron.core.seeds import random_key
from phytotron.training import running
from phytotron.training.checkpoints import load_checkpoint, remove_old, save_checkpoint
from phytotron.training.config import RunConfig
from phytotron.training.folder import RunFolder
from phytotron.training.running import Journal, Judge, Listener, Outcome, Say, Stop
from phytotron.training.setup import Setup

Numbers = dict[str, NDArray[Any]]


class Chunk(NamedTuple):
    """The result of a chunk of updates, with one number per seed."""

    episode_sums: Numbers  # sums over the episodes that ended
    losses: Numbers  # means over the updates
    finite: NDArray[np.bool_]  # whether returns, losses and the policy still are numbers; measures may be undefined


class Updates:
    """Training of several seeds at once, by `vmap` over their states.

    A single update is compiled, so that the division of training into chunks does not change the result.
    """

    def __init__(self, agent: Agent, seeds: Sequence[int]) -> None:
        self.agent = agent
        self.seeds = tuple(seeds)
        self.params = agent.environment.default_params
        self._update: Callable[..., Any] | None = None
        self.policies: Callable[[Any], Any] = jax.jit(jax.vmap(agent.policy))

    def _first(self, params: Any) -> Any:
        keys = jnp.stack([random_key(seed) for seed in self.seeds])
        return jax.tree.map(_strongly_typed, jax.vmap(self.agent.init, (0, None))(keys, params))

    def start(self) -> Any:
        """Return the state before the first update."""
        return jax.jit(self._first)(self.params)

    def template(self) -> Any:
        """Return the shapes and types of a state."""
        return jax.eval_shape(self._first, self.params)

    def compile(self, state: Any) -> None:
        """Compile ahead of time, so that compilation does not count as training time."""
        made = jax.jit(self._once, donate_argnums=0)
        self._update = made.lower(state, self.params).compile()

    def advance(self, state: Any, count: int) -> tuple[Any, Chunk]:
        """Return the state after `count` updates; the state that was given can no longer be used."""
        if self._update is None:
            self.compile(state)
        assert self._update is not None
        found = []
        for _ in range(count):  # without waiting: the next update is on its way while one is computed
            state, progress = self._update(state, self.params)
            found.append(progress)
        each = [jax.tree.map(np.asarray, progress) for progress in found]
        episode_sums, losses = (
            {name: np.stack([one[part][name] for one in each]).sum(axis=0, dtype=np.float64) for name in each[0][part]}
            for part in (0, 1)
        )
        finite = np.all([one[2] for one in each], axis=0)
        return state, Chunk(episode_sums, {name: total / count for name, total in losses.items()}, finite)

    def _once(self, state: Any, params: Any) -> tuple[Any, Any]:
        state, (episode_sums, losses) = jax.vmap(partial(checked_update, self.agent), (0, None))(state, params)
        checked = jax.tree.leaves((episode_sums["return"], losses, jax.vmap(self.agent.policy)(state)))
        finite = jnp.all(jnp.stack([jnp.all(jnp.isfinite(each), range(1, each.ndim)) for each in checked]), axis=0)
        return state, (episode_sums, losses, finite)


def one_of(stacked: Any, row: int) -> Any:
    """Return the policy of one seed out of stacked policies."""
    return jax.tree.map(lambda each: each[row], stacked)


def _strongly_typed(leaf: Array) -> Array:
    """Return an array without a weak type, as from a file, so that the loop is not compiled twice."""
    return leaf if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key) else jax.lax.convert_element_type(leaf, leaf.dtype)


def train(
    agent: Agent,
    folder: Path | str,
    config: RunConfig,
    evaluation_environment: Environment[Any, Any] | None = None,
    listeners: Sequence[Listener] = (),
    say: Say = lambda text: None,
    resume: bool = False,
    checkpoint_every: int | None = None,
) -> Outcome:
    """Train all seeds of a run in its folder; with `resume`, from where it stopped.

    Checkpoints are written once a minute, or after every `checkpoint_every` chunks. Ctrl-C finishes the chunk, writes a
    checkpoint and the policies, and returns.
    """
    judge = None
    if evaluation_environment is not None and config.evaluation.every:
        judge = Judge(config.evaluation, evaluation_environment, [None] * len(config.seeds))
    size = int(getattr(agent.settings, "num_envs", 1))
    what = f"environments at once, of each of {len(config.seeds)} seeds,"
    with running.under_way(folder, config, resume) as (run, stop), enough_memory(size, what, "--set num_envs="):
        return _Training(agent, run, config, judge, Journal(run, listeners), say, checkpoint_every).run(stop)


def train_or_resume(setup: Setup, folder: Path, **callbacks: Any) -> Outcome:
    """Train a run in a new folder, or resume it in its folder; `callbacks`: `listeners` and `say`."""
    resume = RunFolder(folder).config_path.exists()
    return train(setup.agent, folder, setup.config, setup.evaluation_environment, resume=resume, **callbacks)


@dataclass
class _Training:
    agent: Agent
    folder: RunFolder
    config: RunConfig
    judge: Judge | None
    journal: Journal
    say: Say
    checkpoint_every: int | None

    def __post_init__(self) -> None:
        self.updates = Updates(self.agent, self.config.seeds)
        self.total = -(-self.config.steps // self.agent.steps_per_update)
        self.done, self.seconds = 0, 0.0  # updates, and the time that they took
        self.saved_at, self.saved_time = -1, time.monotonic()
        self.chunks = 0

    @property
    def step(self) -> int:
        return self.done * self.agent.steps_per_update

    def run(self, stop: Stop) -> Outcome:
        state = self._restored()
        reason = self._ended(False)
        if reason is not None:
            self.say(f"{self.folder.path} has already been trained to its end, step {self.step}")
        else:
            self.say("compiling")
            self.updates.compile(state)
        while reason is None:
            state = self._chunk(state)
            reason = self._ended(stop())
            if reason is not None or self._checkpoint_due():
                self._checkpoint(state)
        policies = self.updates.policies(state)
        for row in range(len(self.config.seeds)):
            self._write_policy(policies, row)
        self.journal.end(self.step, reason)
        return Outcome(self.step, reason, self.seconds, stop.signal)

    def _restored(self) -> Any:
        """The state to go on from, with metrics cut back to it."""
        found = load_checkpoint(self.folder.checkpoints, self.updates.template(), self.say)
        remove_old(self.folder.checkpoints)
        if found is None:
            self.folder.keep_lines(0)
            return self.updates.start()
        state, about = found
        self.done, self.seconds, self.journal.lines = about["updates"], about["seconds"], about["lines"]
        if self.judge is not None and about.get("judge"):
            self.judge.remember(about["judge"])
        finished = self._ended(False)
        self.folder.keep_lines(self.journal.lines + (finished is not None))  # the last line of a finished run says so
        self.saved_at = self.done
        self.say(f"going on from step {self.step}")
        return state

    def _ended(self, interrupted: bool) -> str | None:
        if self.done >= self.total:
            return "finished"
        if self.judge is not None and self.judge.enough:
            return "early"
        return "stopped" if interrupted else None

    def _chunk(self, state: Any) -> Any:
        """Run some updates, write their line of metrics, and evaluate where that is due."""
        before = self.step
        count = min(self.config.updates_per_chunk, self.total - self.done)
        began = time.perf_counter()
        state, chunk = self.updates.advance(state, count)
        seconds = time.perf_counter() - began
        self.done += count
        self.seconds += seconds
        self.chunks += 1
        self._check_finite(chunk, before)
        speed = (self.step - before) * len(self.config.seeds) / seconds
        self.journal.note(running.training_line(self.step, self.seconds, speed, chunk.episode_sums, chunk.losses))
        if self.judge is not None and self.judge.due(before, self.step, self.done >= self.total):
            policies = self.updates.policies(state)
            self.journal.note(self.judge.evaluate(policies, self.step))
            for row in self.judge.improved:
                self._write_policy(policies, row, best=True)
        return state

    def _check_finite(self, chunk: Chunk, before: int) -> None:
        if np.all(chunk.finite):
            return
        seeds = [seed for seed, good in zip(self.config.seeds, chunk.finite, strict=True) if not good]
        step = self.saved_at * self.agent.steps_per_update
        kept = "there is no checkpoint yet" if step < 0 else f"the last good checkpoint is that of step {step}"
        raise PhytotronError(
            f"training of seed {', '.join(map(str, seeds))} gave losses, returns or parameters that are not finite "
            f"between steps {before} and {self.step}; {kept}. {running.NOT_FINITE}"
        )

    def _checkpoint_due(self) -> bool:
        if self.checkpoint_every is not None:
            return self.chunks % self.checkpoint_every == 0
        return time.monotonic() - self.saved_time > running.CHECKPOINT_SECONDS

    def _checkpoint(self, state: Any) -> None:
        self.folder.sync_metrics()
        about = {
            "updates": self.done,
            "seconds": self.seconds,
            "lines": self.journal.lines,
            "judge": None if self.judge is None else self.judge.memory(),
        }
        save_checkpoint(self.folder.checkpoints, self.step, state, about)
        self.saved_at, self.saved_time = self.done, time.monotonic()

    def _write_policy(self, policies: Any, row: int, best: bool = False) -> None:
        seed = self.config.seeds[row]
        about = running.policy_about(self.config, self.agent.environment, seed, steps=self.step)
        save_policy(self.folder.policy_path(seed, best), one_of(policies, row), about)
