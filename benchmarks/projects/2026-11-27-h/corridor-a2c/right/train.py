import argparse

import torch

from agent import A2C, Rollout
from corridor import Corridor


def collect(env, agent, obs, horizon, gamma):
    seen, acts, rewards, dones = [], [], [], []
    for _ in range(horizon):
        action = agent.act(obs)
        seen.append(obs)
        acts.append(action)
        obs, reward, done = env.step(action)
        rewards.append(reward)
        dones.append(done.float())
    with torch.no_grad():
        running = agent.critic(obs).squeeze(-1)
    returns = []
    for reward, done in zip(reversed(rewards), reversed(dones)):
        running = reward + gamma * running * (1 - done)
        returns.append(running)
    ret = torch.stack(returns[::-1])
    batch = Rollout(torch.cat(seen), torch.cat(acts), ret.flatten())
    return batch, obs, torch.stack(rewards).mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--updates", type=int, default=200)
    ap.add_argument("--walkers", type=int, default=16)
    ap.add_argument("--horizon", type=int, default=12)
    ap.add_argument("--gamma", type=float, default=0.97)
    args = ap.parse_args()

    torch.manual_seed(0)
    env = Corridor(args.walkers)
    agent = A2C(env.length, 2)
    obs = env.reset()
    for u in range(args.updates):
        batch, obs, reward = collect(env, agent, obs, args.horizon, args.gamma)
        stats = agent.learn(batch)
        if u % 5 == 0:
            print(u, f"reward {reward:.3f}", {k: round(v, 4) for k, v in stats.items()})


if __name__ == "__main__":
    main()
