import random

import torch

from rl.agent import A2C, ActorCritic
from rl.anneal import make_pace
from rl.env import Corridor, rollout


def main(updates=150):
    random.seed(1)
    torch.manual_seed(1)
    env = Corridor()
    net = ActorCritic(env.length, 2)
    agent = A2C(net)
    pace = make_pace(agent.optimizer, "linear", updates)
    curve, scores = [], []
    for update in range(updates):
        episode, score = rollout(env, net)
        curve.append(agent.learn(episode))
        pace.step
        scores.append(score)
        if (update + 1) % 50 == 0:
            rate = agent.optimizer.param_groups[0]["lr"]
            mean_loss = float(sum(curve[-50:])) / 50
            print(f"{update + 1:4d} return {sum(scores[-50:]) / 50:+.3f} loss {mean_loss:+.4f} lr {rate:.4f}")


if __name__ == "__main__":
    main()
