"""Settings of RLlib's PPO under the names of our own agents; this module does not need Ray."""

from dataclasses import dataclass

from phytotron.agents.settings import POSITIVE, SHARE, WHOLE, WIDTHS, Settings, within
from phytotron.core.errors import ValueRangeError


@dataclass(frozen=True, kw_only=True)
class RLlibSettings(Settings):
    """Settings of PPO. Defaults are those of RLlib, which has other names for some of them."""

    steps: int = within(WHOLE, 1_000_000)
    num_envs: int = within(WHOLE, 8)  # of each worker
    batch: int = within(WHOLE, 4000)  # steps of all workers between one learning and the next: train_batch_size
    minibatch: int = within(WHOLE, 128)
    epochs: int = within(WHOLE, 30)
    discount: float = within(SHARE, 0.99)  # gamma
    gae_lambda: float = within(SHARE, 1.0)
    clip: float = within(POSITIVE, 0.3)
    value_clip: float = within(POSITIVE, 10.0)
    kl_coefficient: float = 0.2  # kl_coeff, at the beginning
    kl_target: float = 0.01
    entropy: float = 0.0
    value_weight: float = 1.0
    learning_rate: float = within(POSITIVE, 5e-5)
    max_gradient_norm: float | None = within(POSITIVE, None)
    hidden: tuple[int, ...] = within(WIDTHS, (256, 256))  # fcnet_hiddens
    activation: str = "tanh"
    lstm: bool = False  # after the hidden layers
    lstm_size: int = within(WHOLE, 256)
    max_sequence: int = within(WHOLE, 20)  # steps through which the LSTM learns: max_seq_len
    normalise_observations: bool = False  # by running means and standard deviations

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.minibatch > self.batch:
            raise ValueRangeError("minibatch", self.minibatch, f"at most the batch, {self.batch}")
