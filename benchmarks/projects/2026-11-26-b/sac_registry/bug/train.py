import argparse
import random

import torch

import agents
from evaluation import evaluate
from replay import PendulumLike, Replay


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--algo", default="sac")
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--start", type=int, default=40)
    parser.add_argument("--batch-size", type=int, default=16)
    args = parser.parse_args()
    torch.manual_seed(0)
    random.seed(0)

    env = PendulumLike()
    agent = agents.make(args.algo, observation=env.observation, action=env.action, total=args.steps)
    replay = Replay(capacity=1000)
    state = env.reset()
    for step in range(args.steps):
        action = agent.act(state)
        following, reward, done = env.step(action)
        replay.add(state, action, reward, following)
        state = env.reset() if done else following
        if step >= args.start:
            agent.decay()
            losses = agent.update(replay.sample(args.batch_size))
        if (step + 1) % 40 == 0:
            score = evaluate(agent, PendulumLike(), episodes=2)
            print(f"step {step + 1}: return {score:.2f} lr {agent.rate():.2e}")
    print({name: round(value, 3) for name, value in losses.items()})


if __name__ == "__main__":
    main()
