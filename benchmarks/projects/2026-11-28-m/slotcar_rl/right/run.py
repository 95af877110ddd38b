import torch

from agents.a2c import A2C
from track import SlotCars, collect

ITERATIONS = 40


def main():
    torch.manual_seed(2)
    env = SlotCars()
    agent = A2C(env.obs_dim, env.n_actions, lr=1e-2, iterations=ITERATIONS)
    losses, rewards = [], []
    for it in range(ITERATIONS):
        loss, reward = agent.learn(collect(env, agent, steps=12))
        agent.anneal.step()
        losses.append(loss)
        rewards.append(reward)
        if it % 10 == 9:
            print(it + 1, f"reward {float(sum(rewards[-10:])) / 10:.3f} loss {float(sum(losses[-10:])) / 10:.3f}")


if __name__ == "__main__":
    main()
