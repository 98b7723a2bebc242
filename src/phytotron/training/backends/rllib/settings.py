"""Settings of RLlib's PPO in the words of our own agents, and the run that is asked for; needs no Ray."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.training.config import RunConfig
from phytotron.training.presets import Preset, settings_from

ACTIVATIONS = ("tanh", "relu", "silu")


@dataclass(frozen=True)
class RLlibSettings:
    """Of PPO; the defaults are those of RLlib, which calls some of them otherwise."""

    steps: int = 1_000_000
    num_envs: int = 8  # of each worker
    batch: int = 4000  # steps of all workers between one learning and the next: train_batch_size
    minibatch: int = 128
    epochs: int = 30
    discount: float = 0.99  # gamma
    gae_lambda: float = 1.0
    clip: float = 0.3
    value_clip: float = 10.0
    kl_coefficient: float = 0.2  # kl_coeff, at the beginning
    kl_target: float = 0.01
    entropy: float = 0.0
    value_weight: float = 1.0
    learning_rate: float = 5e-5
    max_gradient_norm: float | None = None
    hidden: tuple[int, ...] = (256, 256)  # fcnet_hiddens
    activation: str = "tanh"
    lstm: bool = False  # after the hidden layers
    lstm_size: int = 256
    max_sequence: int = 20  # steps through which the LSTM learns: max_seq_len
    normalise_observations: bool = False  # by running means and standard deviations

    def __post_init__(self) -> None:
        for name in ("steps", "num_envs", "batch", "minibatch", "epochs", "lstm_size", "max_sequence"):
            if getattr(self, name) < 1:
                raise ValueRangeError(name, getattr(self, name), "at least 1")
        if self.minibatch > self.batch:
            raise ValueRangeError("minibatch", self.minibatch, f"at most the batch, {self.batch}")
        if not 0.0 <= self.discount <= 1.0:
            raise ValueRangeError("discount", self.discount, "from 0 to 1")
        if self.activation not in ACTIVATIONS:
            raise UnknownNameError("activation", self.activation, ACTIVATIONS)


# PPO with LSTM of GreenLightPlus's README.
GREENLIGHTPLUS: dict[str, Any] = {
    "discount": 0.9,
    "learning_rate": 1e-4,
    "kl_coefficient": 0.3,
    "hidden": (256, 256),
    "activation": "relu",
    "lstm": True,
    "max_sequence": 48,
}
PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "default": Preset("the defaults of RLlib, with several environments"),
        "greenlightplus": Preset(
            "PPO with LSTM of GreenLightPlus", GREENLIGHTPLUS, environment="phytotron/GreenhouseSetpoint-v0"
        ),
    }
)


def prepare_rllib(
    id: str,
    *,
    agent: str = "ppo",
    preset: str = "default",
    seeds: Sequence[int] = (0,),
    steps: int | None = None,
    settings: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
) -> RunConfig:
    """The record of the run that is asked for."""
    if agent != "ppo":
        raise PhytotronError(f"the backend rllib trains ppo, not {agent}; choose --agent ppo or the backend jax")
    if len(seeds) != 1:
        raise PhytotronError(
            f"the backend rllib trains one seed, not {len(seeds)}; train each in a folder of its own, as --seeds 3,"
        )
    if preset not in PRESETS:
        raise UnknownNameError("preset of the backend rllib", preset, PRESETS)
    asked = dict(settings or {}) | ({} if steps is None else {"steps": steps})
    made = settings_from(RLlibSettings, dict(PRESETS[preset].settings) | asked, "setting of the backend rllib")
    return RunConfig(
        environment=id,
        options=dict(options or {}),
        agent=agent,
        preset=preset,
        settings=dataclasses.asdict(made),
        seeds=tuple(seeds),
        steps=made.steps,
        backend="rllib",
    )
