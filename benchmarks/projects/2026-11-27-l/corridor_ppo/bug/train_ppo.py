import torch

from agents import make_agent
from corridor import Corridor
from ppo import improve
from rollouts import collect


def main():
    torch.manual_seed(1)
    env = Corridor()
    agent = make_agent(obs_dim=2, n_actions=2, lr=3e-3)
    for iteration in range(6):
        rollout = collect(env, agent, horizon=256)
        norm = improve(agent, rollout)
        print(f"iter {iteration} return {rollout.returns.mean().item():.3f} grad {norm:.3f}")


if __name__ == "__main__":
    main()
