"""InterCropGym: double DQN, discrete SAC and PPO on two crops."""
