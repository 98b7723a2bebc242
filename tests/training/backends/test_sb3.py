"""Training by Stable-Baselines3, where it is installed."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import Array
from registering import registered
from toy_environments import Aiming, Corridor, Count, Countdown
from training_runs import WeatheredCountdown
from typer.testing import CliRunner

from phytotron.agents import ppo
from phytotron.agents.networks import MLP, Layer
from phytotron.agents.policy_files import check_fits, load_policy, read_about
from phytotron.agents.ppo import Networks, Rollout
from phytotron.cli import app
from phytotron.core import registry
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.spaces import Discrete
from phytotron.evaluation.scores import evaluate
from phytotron.training.folder import Line, RunFolder
from phytotron.training.presets import make_settings
from phytotron.training.setup import Setup, prepare

pytest.importorskip("stable_baselines3")

import torch
from stable_baselines3 import A2C, PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.evaluation import evaluate_policy

from phytotron.training.backends.sb3.export import export_policy
from phytotron.training.backends.sb3.train import make_model, train_sb3

torch.set_num_threads(1)  # networks are small, and others may be at work

TOLERANCE = 1e-5  # of actions: both work in float32, and add up in another order
SMALL = {
    "ppo": {"num_envs": 4, "rollout": 16, "minibatch": 32, "epochs": 2, "actor": (8, 8), "critic": (16,)},
    "dqn": {"num_envs": 2, "double": False, "batch": 16, "hidden": (8, 8), "buffer": 500, "rounds": 16},
    "sac": {"num_envs": 2, "batch": 16, "hidden": (8, 8), "buffer": 500, "rounds": 64},
}
WHEAT = "phytotron/WheatNitrogen-v0"


class FixedAiming(Aiming):
    """Always at the same mark."""

    def draw(self, key: Array) -> Array:
        return jnp.full(1, 2.7, jnp.float32)


class FixedCorridor(Corridor):
    """Always from place 0."""

    def initial(self, key: Array, params: float) -> tuple[Array, Count]:
        state = {"place": jnp.zeros((), jnp.int32), "age": jnp.zeros((), jnp.int32)}
        return self.observe(state), state


TOYS = {"test/Aiming-v0": "Aiming", "test/Corridor-v0": "Corridor", WeatheredCountdown.id: "WeatheredCountdown"}


@pytest.fixture(scope="module", autouse=True)
def toys() -> Iterator[None]:
    with ExitStack() as stack:
        for id, name in TOYS.items():
            module = "training_runs" if name == "WeatheredCountdown" else "toy_environments"
            stack.enter_context(registered(id, f"{module}:{name}"))
        yield


def settings_of(agent: str, **changes: Any) -> dict[str, Any]:
    return vars(make_settings(agent, **(SMALL[agent] | changes)))


def setup_of(id: str, agent: str = "ppo", steps: int = 256, settings: Any = None, **rest: Any) -> Setup:
    chosen = SMALL[agent] | (settings or {})
    return prepare(id, agent=agent, steps=steps, settings=chosen, backend="sb3", **rest)


CASES: dict[str, tuple[str, Environment[Any, Any], dict[str, Any]]] = {
    "continuous PPO": ("ppo", Aiming(), {"activation": "silu"}),
    "PPO without normalisation": ("ppo", WeatheredCountdown(), {"normalise_observations": False}),
    "discrete PPO": ("ppo", Corridor(), {"orthogonal": False}),
    "DQN": ("dqn", Corridor(), {}),
    "SAC": ("sac", WeatheredCountdown(), {"activation": "tanh"}),
    "SAC without normalisation": ("sac", Aiming(), {"normalise_observations": False, "normalise_rewards": False}),
}


@pytest.mark.parametrize("case", CASES)
def test_an_exported_policy_does_what_stable_baselines_does(case: str) -> None:
    agent, environment, changes = CASES[case]
    model = make_model(agent, environment, settings_of(agent, **changes), seed=0)
    model.learn(320)
    with torch.no_grad():
        for each in model.policy.parameters():  # so that choices differ however little was learned
            each += 0.2 * torch.randn_like(each)
    policy = export_policy(model)
    check_fits(policy, environment)
    seen = np.random.default_rng(0).normal(2.0, 3.0, (200, *environment.observation_space.shape)).astype(np.float32)
    expected, _ = model.predict(model.env.normalize_obs(seen), deterministic=True)
    action, _ = policy.act(jax.random.key(0), (), jnp.asarray(seen), None, None)
    np.testing.assert_allclose(action, expected, atol=TOLERANCE, rtol=TOLERANCE)
    assert np.std(expected) > 0.0 and isinstance(environment.action_space, Discrete) == (policy.head == "categorical")


@pytest.mark.parametrize(("agent", "environment"), [("ppo", FixedAiming()), ("dqn", FixedCorridor())])
def test_both_evaluations_agree_where_nothing_is_random(agent: str, environment: Environment[Any, Any]) -> None:
    model = make_model(agent, environment, settings_of(agent), seed=1)
    model.learn(640)
    model.env.training = False
    its, spread = evaluate_policy(model, model.env, n_eval_episodes=6, deterministic=True)
    mine = evaluate(environment, export_policy(model), episodes=2).values["return"]
    assert spread < 1e-4
    np.testing.assert_allclose(mine, its, rtol=1e-5)


def as_networks(policy: Any) -> Networks:
    """Actor and critic of Stable-Baselines3's PPO as ours."""

    def array(tensor: Any) -> Array:
        return jnp.asarray(tensor.detach().numpy().copy())

    def linear(*parts: Any) -> MLP:
        layers = [each for part in parts for each in part.modules() if isinstance(each, torch.nn.Linear)]
        return MLP(tuple(Layer(array(each.weight), array(each.bias)) for each in layers), "tanh")

    extractor = policy.mlp_extractor
    log_std = array(policy.log_std) if hasattr(policy, "log_std") else jnp.zeros(3)
    return Networks(
        linear(extractor.policy_net, policy.action_net), linear(extractor.value_net, policy.value_net), log_std
    )


class Steps(BaseCallback):
    """Keeps what a step gave: the observation after it, reward, end, and whether time was up."""

    def _init_callback(self) -> None:
        self.rows: list[tuple[Any, ...]] = []

    def _on_step(self) -> bool:
        after, over = self.locals["new_obs"].copy(), self.locals["dones"]
        for row in np.flatnonzero(over):
            after[row] = self.locals["infos"][row]["terminal_observation"]
        time_up = np.array([info["TimeLimit.truncated"] for info in self.locals["infos"]])
        self.rows.append((after, self.locals["rewards"].copy(), over & ~time_up, time_up))
        return True


@pytest.mark.parametrize("environment", [Corridor(), Countdown()])
def test_our_ppo_learns_from_a_rollout_what_stable_baselines_learns(environment: Environment[Any, Any]) -> None:
    # One minibatch, since they shuffle by other generators. Large, since only theirs has Bessel's correction.
    size, steps = 2, 256
    changes = {"num_envs": size, "rollout": steps, "minibatch": size * steps, "actor": (32,), "critic": (32, 32)}
    chosen = make_settings("ppo", "cropgym", discount=0.97, value_clip=0.2, entropy=0.01, **changes)
    model, agent, kept = make_model("ppo", environment, vars(chosen), seed=0), ppo.PPO(environment, chosen), Steps()
    total, callback = model._setup_learn(10 * size * steps, kept)
    callback.on_training_start({}, {})
    optimiser = agent.optimiser.init(as_networks(model.policy))
    for update in range(3):
        kept.rows = []
        model.collect_rollouts(model.env, callback, model.rollout_buffer, steps)
        buffer, before = model.rollout_buffer, as_networks(model.policy)
        choice = buffer.actions.copy() if not agent.discrete else buffer.actions[..., 0].astype(np.int32)
        following, reward, terminated, truncated = map(jnp.asarray, map(np.stack, zip(*kept.rows, strict=True)))
        seen, log_probability = jnp.asarray(buffer.observations.copy()), jnp.asarray(buffer.log_probs.copy())
        rows = Rollout(seen, jnp.asarray(choice), log_probability, reward, following, terminated, truncated)
        batch = agent._with_advantages(before, rows)
        np.testing.assert_allclose(batch.advantage, buffer.advantages, atol=1e-4)
        assert bool(jnp.any(truncated)) and bool(jnp.any(terminated))
        weights = agent._actor_weights(jnp.asarray(update * size * steps))
        mine, optimiser, _ = agent._learn(jax.random.key(0), before, optimiser, batch, weights)
        model._update_current_progress_remaining(model.num_timesteps, total)
        model.train()
        its = as_networks(model.policy)
        moved = [float(jnp.max(jnp.abs(a - b))) for a, b in zip(*map(jax.tree.leaves, (before, its)), strict=True)]
        for one, other in zip(*map(jax.tree.leaves, (mine, its)), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-5)
        assert max(moved) > 1e-3


def test_settings_are_translated() -> None:
    changes = {"value_clip": 0.3, "entropy": 0.01, "learning_rate": 1e-3, "learning_rate_end": 1e-4, "clip": 0.4}
    chosen = settings_of("ppo", **changes, discount=0.9, gae_lambda=0.8, max_gradient_norm=0.7, initial_log_std=-1.0)
    model = make_model("ppo", Aiming(), chosen, seed=0)
    found = (model.n_steps, model.batch_size, model.n_epochs, model.gamma, model.gae_lambda, model.ent_coef)
    assert found == (16, 32, 2, 0.9, 0.8, 0.01) and (model.vf_coef, model.max_grad_norm) == (0.5, 0.7)
    assert model.clip_range(1.0) == 0.4 and model.clip_range_vf(1.0) == 0.3
    assert model.lr_schedule(1.0) == 1e-3 and model.lr_schedule(0.0) == pytest.approx(1e-4)
    assert model.policy.log_std.detach().numpy() == pytest.approx(-1.0)
    assert [layer.out_features for layer in model.policy.mlp_extractor.value_net[::2]] == [16]
    assert model.env.gamma == 0.9 and model.env.num_envs == 4
    dqn = make_model("dqn", Corridor(), settings_of("dqn", target_update=40, max_gradient_norm=None), seed=0)
    assert dqn.target_update_interval == 40 and dqn.train_freq.frequency == 4 and dqn.max_grad_norm == float("inf")
    sac = make_model("sac", Aiming(), settings_of("sac", entropy=0.2, automatic=False, target_entropy=-3.0), seed=0)
    assert sac.ent_coef == 0.2 and sac.target_entropy == -3.0


@pytest.mark.parametrize(
    ("agent", "id", "steps", "expected"),
    [
        ("ppo", "test/Aiming-v0", 3000, -3.0),
        ("dqn", "test/Corridor-v0", 3000, -4.5),
        ("sac", "test/Aiming-v0", 2400, -4.0),
    ],
)
def test_agents_learn_and_leave_a_run(agent: str, id: str, steps: int, expected: float, tmp_path: Path) -> None:
    faster = {"learning_rate": 1e-2} | ({"target_update": 100} if agent == "dqn" else {})
    setup = setup_of(id, agent, steps, faster)
    told: list[Line] = []
    outcome = train_sb3(setup, tmp_path / "run", listeners=[told.append])
    run = RunFolder(tmp_path / "run")
    lines = run.lines()
    assert outcome.reason == "finished" and steps <= outcome.step < steps + 64 and outcome.seconds > 0.0
    assert lines[-1] == {"kind": "end", "step": outcome.step, "reason": "finished"} and len(told) == len(lines)
    training = lines[-2]
    assert training["step"] == outcome.step and training["episodes"][0] > 0 and "seed" not in training
    assert set(training["losses"]) >= {"ppo": {"policy_loss", "entropy"}, "dqn": {"loss"}, "sac": {"actor_loss"}}[agent]
    if agent == "dqn":
        assert 0.0 <= training["measures"]["place"][0] <= 4.0
        assert training["losses"]["epsilon"][0] == pytest.approx(0.05)
    assert "stable-baselines3" in run.config()["versions"]
    policy = load_policy(run.policy_path(0))
    about = read_about(run.policy_path(0))["training"]
    assert (about["agent"], about["backend"], about["seed"], about["steps"]) == (agent, "sb3", 0, outcome.step)
    assert evaluate(registry.make(id), policy, episodes=20).means()["return"][0] > expected


def test_wheat_is_trained_and_judged(tmp_path: Path) -> None:
    options = {"weather": "embedded_wheat:train"}
    setup = setup_of(WHEAT, "ppo", 2048, {"rollout": 256, "minibatch": 128}, options=options, evaluate_every=1024)
    train_sb3(setup, tmp_path / "run")
    judged = [line for line in RunFolder(tmp_path / "run").lines() if line["kind"] == "evaluation"]
    assert [line["step"] for line in judged] == [1024, 2048]
    assert judged[0]["weather"] == "embedded_wheat:validation" and judged[0]["measures"]["nitrogen"][0] >= 0.0
    policy = load_policy(tmp_path / "run/policies/best_seed_0")
    found = evaluate(registry.make(WHEAT, weather="embedded_wheat:validation"), policy).means()["return"][0]
    assert found == pytest.approx(max(line["return"][0] for line in judged), rel=1e-4)


def without_clocks(run: RunFolder) -> list[Line]:
    return [{k: v for k, v in line.items() if k not in ("seconds", "steps_per_second")} for line in run.lines()]


def test_a_stopped_run_keeps_finished_seeds_and_ends_as_one_that_was_not_stopped(tmp_path: Path) -> None:
    setup = setup_of("test/Corridor-v0", seeds=(0, 3, 4), steps=256)
    train_sb3(setup, tmp_path / "whole")

    def interrupt(line: Line) -> None:
        if line.get("seed") == 3 and line["step"] == 128:
            signal.raise_signal(signal.SIGINT)

    outcome = train_sb3(setup, tmp_path / "parts", listeners=[interrupt])
    run, said = RunFolder(tmp_path / "parts"), list[str]()
    assert outcome.reason == "stopped" and outcome.step == 132 and run.lines()[-1]["reason"] == "stopped"
    assert read_about(run.policy_path(3))["training"]["ended"] == "stopped" and len(run.list_policies()) == 2
    assert [line["episodes"][2] for line in run.lines()[:-1]] == [None] * 6  # 4 of seed 0, 2 of seed 3
    assert train_sb3(setup, tmp_path / "parts", say=said.append, resume=True).reason == "finished"
    assert any("seed 0 has already" in text for text in said) and any(
        "seed 3 was not finished" in text for text in said
    )
    assert without_clocks(run) == without_clocks(RunFolder(tmp_path / "whole"))
    for seed in (0, 3, 4):
        name = f"policies/seed_{seed}.safetensors"
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    lines = run.lines()
    assert len(lines) == 5 and all(None not in line["episodes"] for line in lines[:-1])
    seconds = [line["seconds"] for line in lines[:-1]]
    assert seconds == sorted(seconds)
    assert train_sb3(setup, tmp_path / "parts", resume=True).step == 256 and len(run.lines()) == 5  # nothing to do


def test_a_policy_that_was_altered_is_trained_again(tmp_path: Path) -> None:
    setup = setup_of("test/Corridor-v0", steps=64)
    train_sb3(setup, tmp_path / "run")
    file = tmp_path / "run/policies/seed_0.safetensors"
    before, said = file.read_bytes(), list[str]()
    file.write_bytes(before[:-4] + b"abcd")
    train_sb3(setup, tmp_path / "run", say=said.append, resume=True)
    assert said[0].startswith("policy passed over") and file.read_bytes() == before
    assert len(RunFolder(tmp_path / "run").lines()) == 2


def test_seeds_stop_early_one_by_one(tmp_path: Path) -> None:
    slow, judged = {"learning_rate": 1e-12}, {"evaluate_every": 64, "patience": 2}
    setup = setup_of(WeatheredCountdown.id, seeds=(0, 1), steps=6400, settings=slow, **judged)
    outcome = train_sb3(setup, tmp_path / "run")
    assert outcome.reason == "early" and outcome.step < 6400
    about = [read_about(tmp_path / f"run/policies/seed_{seed}")["training"] for seed in (0, 1)]
    assert all(each["ended"] == "early" and each["steps"] % 64 == 0 for each in about)


@pytest.mark.parametrize(
    ("agent", "id", "settings", "message"),
    [
        ("ppo", "test/Aiming-v0", {"staggered": True}, "staggered = True; set staggered=false"),
        ("ppo", "test/Aiming-v0", {"entropy_end": 0.0}, "set entropy_end=null"),
        ("dqn", "test/Corridor-v0", {"double": True}, "set double=false"),
        ("dqn", "test/Corridor-v0", {"decay_rate": 0.99}, "set decay_rate=null"),
        ("sac", "test/Aiming-v0", {"max_gradient_norm": 1.0}, "set max_gradient_norm=null"),
        ("sac", "test/Aiming-v0", {"random_share": 0.1}, "random_share"),
        ("sac", "test/Corridor-v0", {}, "no discrete actions"),
    ],
)
def test_what_stable_baselines_cannot_do_is_refused(
    agent: str, id: str, settings: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(PhytotronError, match=message):
        train_sb3(setup_of(id, agent, settings=settings), tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("agent", ["apg", "package.module:Agent"])
def test_agents_that_stable_baselines_does_not_have_are_refused_by_name(agent: str) -> None:
    with pytest.raises(PhytotronError, match=f"sb3 trains ppo, dqn, sac, not {agent}"):
        make_model(agent, Aiming(), {}, seed=0)


def test_other_settings_and_other_folders_are_refused(tmp_path: Path) -> None:
    train_sb3(setup_of("test/Corridor-v0", steps=64), tmp_path / "run")
    with pytest.raises(PhytotronError, match=r"settings\.epochs was 2 and is 3"):
        train_sb3(setup_of("test/Corridor-v0", steps=64, settings={"epochs": 3}), tmp_path / "run", resume=True)
    with pytest.raises(PhytotronError, match="not an empty folder"):
        train_sb3(setup_of("test/Corridor-v0", steps=64), tmp_path / "run")


def test_divergence_is_told(tmp_path: Path) -> None:
    with pytest.raises(PhytotronError, match="seed 0 gave parameters that are not finite"):
        train_sb3(setup_of("test/Aiming-v0", "sac", 512, {"learning_rate": 1e30}), tmp_path / "run")


def test_what_cannot_be_exported_is_refused() -> None:
    env = make_model("ppo", Aiming(), settings_of("ppo"), seed=0).env
    with pytest.raises(PhytotronError, match="A2C cannot be exported"):
        export_policy(A2C("MlpPolicy", env, device="cpu"))
    gelu, noise = {"policy_kwargs": {"activation_fn": torch.nn.GELU}}, {"use_sde": True}
    for arguments, message in ((gelu, "activation GELU"), (noise, "use_sde=False")):
        with pytest.raises(PhytotronError, match=message):
            export_policy(PPO("MlpPolicy", env, device="cpu", **arguments))


def test_the_command_trains_and_goes_on(tmp_path: Path) -> None:
    small = [f"--set={name}={json.dumps(value)}" for name, value in SMALL["ppo"].items()]
    command = ["train", "test/Corridor-v0", "--backend", "sb3", "--steps", "128", "--seeds", "2", *small]
    command += ["--output", str(tmp_path / "run")]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, (result.output, result.exception)
    assert "training seed 1, 2 of 2" in result.stderr and "Trained at step 128" in result.stdout
    result = CliRunner().invoke(app, [*command, "--resume", "--json"])
    assert json.loads(result.stdout)["reason"] == "finished" and len(json.loads(result.stdout)["policies"]) == 2
