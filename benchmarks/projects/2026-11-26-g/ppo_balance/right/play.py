"""PPO on a pole that is nudged left and right."""
import torch

from agent import Agent
from meters import Meter
from pole import rollout


def improve(agent, batch, meter, rounds=4):
    for _ in range(rounds):
        loss = agent.surrogate(batch)
        agent.optimise(loss)
        agent.limit(0.5)
        agent.finish()
        meter.push(loss)


def main():
    torch.manual_seed(11)
    agent = Agent()
    meter = Meter("surrogate")
    for turn in range(4):
        batch, reward = rollout(agent, steps=64)
        improve(agent, batch, meter)
        print(f"turn {turn}: reward {reward:.2f}, {meter}")


if __name__ == "__main__":
    main()
