"""Training by Ray RLlib, where it is installed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

pytest.importorskip("ray")
pytest.importorskip("torch")

import ray

from phytotron.adapters.gymnasium_env import GymnasiumEnv
from phytotron.adapters.rllib import RLlibVectorEnv, create, register
from phytotron.cli import app
from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.training.backends.rllib.session import ray_session
from phytotron.training.backends.rllib.train import algorithm_config, list_checkpoints, restore, train_rllib
from phytotron.training.folder import RunFolder
from phytotron.training.presets import make_settings
from phytotron.training.setup import Setup, prepare

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray, which warns of its own future

SETPOINT, LETTUCE = "phytotron/GreenhouseSetpoint-v0", "phytotron/Lettuce-v0"
TINY = {"episode_days": 0.25, "hold": 300}  # six steps
SMALL = {"num_envs": 4, "batch": 96, "minibatch": 48, "epochs": 2, "hidden": (16,), "lstm_size": 16}


@pytest.fixture
def two_workers() -> Iterator[None]:
    with ray_session(2):
        yield


def setup_of(steps: int, **settings: Any) -> Setup:
    asked: dict[str, Any] = {"preset": "greenlightplus", "steps": steps, "settings": SMALL | settings, "options": TINY}
    return prepare(SETPOINT, backend="rllib", **asked)


def weights_of(runner: Any) -> dict[str, Any]:
    return {name: np.asarray(value) for name, value in runner.module.get_state().items()}


def test_the_creator_takes_options_and_published_keys_and_gives_one_or_a_batch() -> None:
    one = create(SETPOINT, {"season_length": 2, "isMature": True, "hold": 300, "target_yield": 8})
    assert isinstance(one, GymnasiumEnv)
    assert (one.environment.episode_days, one.environment.mature, one.environment.hold) == (2, True, 300)
    many = create(SETPOINT, TINY | {"num_envs": 3})
    assert isinstance(many, RLlibVectorEnv) and many.num_envs == 3 and many.environment.episode_steps == 6
    assert create("phytotron/WheatNitrogen-v0", {}).environment.id == "phytotron/WheatNitrogen-v0"
    assert create("toy_environments:Corridor", {"num_envs": 2}).environment.id == "test/Corridor-v0"
    with pytest.raises(PhytotronError, match="has no option 'season'"):
        create(SETPOINT, {"season": 2})
    with pytest.raises(UnknownNameError, match="did you mean"):
        register("phytotron/GreenhouseSetpoints-v0")


def test_environments_of_neighbouring_runners_have_other_seeds() -> None:
    environments = create("phytotron/WheatNitrogen-v0", {"num_envs": 16})
    seen: list[int] = []
    for seed in range(3):
        environments.reset(seed=seed)
        seen += environments.np_random_seed
    assert len(set(seen)) == 48


def test_the_preset_is_that_of_greenlightplus() -> None:
    settings = vars(make_settings("ppo", "greenlightplus", "rllib"))
    made = algorithm_config(SETPOINT, TINY, settings)
    assert (made.gamma, made.lr, made.kl_coeff) == (0.9, 1e-4, 0.3)
    model = made.model_config
    assert (model["use_lstm"], model["max_seq_len"]) == (True, 48)
    assert (model["fcnet_hiddens"], model["fcnet_activation"]) == ([256, 256], "relu")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"agent": "sac"}, "the backend rllib trains ppo"),
        ({"seeds": (0, 1)}, "trains one seed"),
        ({"preset": "greenlight"}, "did you mean 'greenlightplus'"),
        ({"settings": {"lstms": True}}, "did you mean 'lstm'"),
        ({"settings": {"batch": 8}}, "at most the batch, 8"),
        ({"evaluate_every": 100}, "does not evaluate during training"),
    ],
)
def test_what_rllib_does_not_train_is_explained(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(PhytotronError, match=message):
        prepare(SETPOINT, backend="rllib", **changes)


@pytest.mark.slow
def test_a_run_stops_at_ctrl_c_and_goes_on_from_its_checkpoint(tmp_path: Path, two_workers: None) -> None:
    folder, told = tmp_path / "run", []

    def interrupt(line: dict[str, Any]) -> None:
        if line["kind"] == "training":
            os.kill(os.getpid(), signal.SIGINT)

    setup = setup_of(steps=192)
    assert train_rllib(setup, folder, listeners=[interrupt]).reason == "stopped"
    run = RunFolder(folder)
    assert [line["step"] for line in run.lines()] == [96, 96]
    outcome = train_rllib(setup, folder, resume=True, say=told.append)
    assert (outcome.step, outcome.reason) == (192, "finished")
    assert "going on from step 96" in told
    lines = run.lines()
    assert [(line["kind"], line["step"]) for line in lines] == [("training", 96), ("training", 192), ("end", 192)]
    assert lines[0]["length"] == [6.0] and lines[0]["episodes"] == [16]
    assert np.isfinite(lines[1]["return"][0]) and lines[1]["measures"]["energy"][0] > 0.0
    assert [each.name for each in list_checkpoints(run)] == ["step_000000000096", "step_000000000192"]
    assert train_rllib(setup, folder, resume=True).reason == "finished"
    assert run.lines() == lines
    result = CliRunner().invoke(app, ["evaluate", "--policy", str(folder)])
    assert isinstance(result.exception, PhytotronError) and "was trained by RLlib" in str(result.exception)


@pytest.mark.slow
def test_continuous_actions_of_another_task_are_trained_through_the_contract_alone(
    tmp_path: Path, two_workers: None
) -> None:
    asked: dict[str, Any] = {"preset": "greenlightplus", "settings": SMALL, "options": {"episode_days": 0.25}}
    outcome = train_rllib(prepare(LETTUCE, backend="rllib", steps=96, **asked), tmp_path / "run")
    lines = RunFolder(tmp_path / "run").lines()
    assert (outcome.step, outcome.reason) == (96, "finished") and lines[0]["length"] == [12.0]
    assert np.isfinite(lines[0]["return"][0]) and lines[0]["measures"]["heat"][0] > 0.0


@pytest.mark.slow
def test_runners_of_a_restored_algorithm_have_the_weights_that_were_saved(tmp_path: Path, two_workers: None) -> None:
    setup = setup_of(steps=96, normalise_observations=True)
    train_rllib(setup, tmp_path / "run", workers=1)
    (checkpoint,) = list_checkpoints(RunFolder(tmp_path / "run"))
    algorithms = [
        algorithm_config(SETPOINT, TINY, setup.config.settings, seed=seed, workers=1).build_algo() for seed in (1, 2)
    ]
    for algorithm in algorithms:
        restore(algorithm, checkpoint)
    saved = algorithms[0].learner_group.get_weights()["default_policy"]
    for algorithm in algorithms:
        runners = algorithm.env_runner_group.foreach_env_runner(lambda each: weights_of(each), local_env_runner=False)
        assert all(np.array_equal(each[name], saved[name]) for each in runners for name in each)
        algorithm.stop()


@pytest.mark.slow
def test_single_environments_can_be_sampled_as_well(two_workers: None) -> None:
    settings = vars(make_settings("ppo", backend="rllib", **SMALL, lstm=False))
    made = algorithm_config(SETPOINT, TINY, settings, workers=1)
    made.env_runners(gym_env_vectorize_mode="sync", num_envs_per_env_runner=2).callbacks(callbacks_class=[])
    algorithm = made.build_algo()
    assert algorithm.train()["env_runners"]["episode_len_mean"] == 6.0
    algorithm.stop()


def test_no_session_is_left_behind() -> None:
    assert not ray.is_initialized()
