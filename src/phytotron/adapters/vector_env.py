"""A batch of environments behind Gymnasium's vector interface."""

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from phytotron.adapters.batch import Batch, Mask, Outcome, Seeds, with_masks
from phytotron.adapters.sharing import check_render_mode, environment_of, render_metadata, to_gymnasium
from phytotron.adapters.starting import START, check_options
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, ShapeError, UnknownNameError, ValueRangeError

StepResult = tuple[NDArray[Any], NDArray[np.float64], Mask, Mask, dict[str, Any]]


class PhytotronVectorEnv(VectorEnv[NDArray[Any], Any, NDArray[Any]]):
    """Any functional environment as a `gymnasium.vector.VectorEnv`: one compiled call steps all its copies.

    Copy i behaves as the single adapter with its seed, which is s + i after `reset(seed=s)`. How an ended episode goes
    on is Gymnasium's choice of three: `AutoresetMode.NEXT_STEP` (the step after it resets and ignores the action),
    `SAME_STEP` (the step that ends it resets; `info["final_obs"]` and `info["final_info"]` keep the end), `DISABLED`
    (the caller resets, some with `options={"reset_mask": mask}`). It can be pickled and copied at any time.
    """

    def __init__(
        self,
        environment: Environment[Any, Any],
        num_envs: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        self._batch = Batch(environment, num_envs, render_mode)
        self.environment = environment
        self.num_envs = self._batch.num_envs
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.render_mode = render_mode
        self.metadata = render_metadata() | {"autoreset_mode": self.autoreset_mode}
        self._over = np.zeros(self.num_envs, bool)
        self.single_observation_space = to_gymnasium(environment.observation_space)
        self.single_action_space = to_gymnasium(environment.action_space)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    @property
    def state(self) -> Any:
        """The functional environments' states, stacked."""
        return self._batch.state

    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """The generators from which the copies draw."""
        return tuple(generator for generator, _ in self._batch.random)

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seeds of the copies."""
        return tuple(seed for _, seed in self._batch.random)

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin episodes; `info` has the date and the window of each, and the weather that they are of.

        `options`: "start", the label of a start, such as "2010-05-01", or a list with one for each environment; and
        "reset_mask", which of them to reset. Episodes that begin by themselves have drawn starts and no such info.
        """
        self._refuse_closed()
        options = options or {}
        check_options(self.environment, options, ("reset_mask",))
        mask = self._reset_mask(options)
        observation = self._batch.reset(seed, mask, options.get(START))
        self._over = np.zeros(self.num_envs, bool) if mask is None else self._over & ~mask
        return observation, self._start_info(np.ones(self.num_envs, bool) if mask is None else mask)

    def _start_info(self, new: Mask) -> dict[str, Any]:
        """The entries of `info` about the episodes that begin."""
        infos = self._batch.start_infos(new)
        info = {}
        for name in infos[0]:
            texts = np.array([each[name] for each in infos])
            info[name] = np.zeros(self.num_envs, texts.dtype)
            info[name][new] = texts
        return with_masks(info, new)

    def _reset_mask(self, options: dict[str, Any]) -> Mask | None:
        if "reset_mask" not in options:
            return None
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise ValueRangeError("reset_mask", mask, "a NumPy array of booleans")
        if mask.shape != (self.num_envs,):
            raise ShapeError("reset_mask", f"({self.num_envs},)", mask.shape, "one per environment")
        if not mask.any():
            raise ValueRangeError("reset_mask", mask, "at least one True")
        return mask

    def step(self, actions: Any) -> StepResult:
        """Step all environments and return observations, rewards, terminated, truncated and infos."""
        self._refuse_closed()
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            return self._step_with_reset(actions)
        if not self._over.any():
            return self._result(self._batch.step(actions))
        if self.autoreset_mode is AutoresetMode.DISABLED:
            which = ", ".join(map(str, np.flatnonzero(self._over)[:12]))
            raise PhytotronError(f"the episodes of environments {which} are over; reset them (options: 'reset_mask')")
        return self._step_or_reset(actions)

    def _step_or_reset(self, actions: Any) -> StepResult:
        """Step the environments whose episode goes on; the others begin a new one."""
        new = self._over
        outcome = self._batch.step(actions)
        observation = self._batch.reset(mask=new)
        outcome = Outcome(
            observation,
            np.where(new, 0.0, outcome.reward),
            outcome.terminated & ~new,
            outcome.truncated & ~new,
            outcome.info,
        )
        return self._result(outcome, with_masks(outcome.info, ~new))

    def _step_with_reset(self, actions: Any) -> StepResult:
        """Step all environments, and begin a new episode at once wherever one ends."""
        outcome, last = self._batch.step_and_reset(actions)
        over = outcome.over
        info = with_masks(outcome.info, ~over)
        if over.any():
            info["final_obs"] = np.full(self.num_envs, None, object)
            for index in np.flatnonzero(over):
                info["final_obs"][index] = last[index].copy()
            info["final_info"] = with_masks(outcome.info, over)
            info["_final_obs"], info["_final_info"] = over.copy(), over.copy()
        return self._result(outcome, info)

    def _result(self, outcome: Outcome, info: dict[str, Any] | None = None) -> StepResult:
        self._over = outcome.over
        if info is None:
            info = with_masks(outcome.info, np.ones(self.num_envs, bool))
        return outcome.observation, outcome.reward.astype(np.float64), outcome.terminated, outcome.truncated, info

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Return pictures of the present states, or nothing without a render mode."""
        return None if self.render_mode is None else self._batch.pictures()

    def close_extras(self, **kwargs: Any) -> None:
        """Release the batch of environments."""
        if hasattr(self, "_batch"):  # older versions of Gymnasium also close what could not be made
            self._batch.release()

    def _refuse_closed(self) -> None:
        if self.closed:
            raise PhytotronError("these environments are closed; make new ones")


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        raise UnknownNameError("autoreset mode", str(mode), [each.value for each in AutoresetMode]) from None


def make(
    env_id: str,
    num_envs: int = 1,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    render_mode: str | None = None,
    **options: Any,
) -> PhytotronVectorEnv:
    """Make a batch of environments of an id; `gymnasium.make_vec` calls this."""
    environment = environment_of(env_id, options, render_mode)
    return PhytotronVectorEnv(environment, num_envs, autoreset_mode, render_mode)
