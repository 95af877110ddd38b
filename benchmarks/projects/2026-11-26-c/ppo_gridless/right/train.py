import argparse

import torch

from ppo.algo import PPO
from ppo.envs import PointEnv
from ppo.evaluation import evaluate_policy
from ppo.model import build_policy
from ppo.storage import RolloutStorage


def collect(env, policy, storage, obs):
    for _ in range(storage.num_steps):
        with torch.no_grad():
            action, logp, value = policy.act(obs)
        next_obs, reward, done = env.step(action)
        storage.insert(obs, action, logp, value, reward, done)
        obs = next_obs
    with torch.no_grad():
        next_value = policy.value(obs)
    storage.compute_returns(next_value)
    return obs


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--updates", type=int, default=6)
    p.add_argument("--num-steps", type=int, default=32)
    p.add_argument("--num-envs", type=int, default=4)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--eval-interval", type=int, default=2)
    p.add_argument("--max-grad-norm", type=float, default=0.5)
    args = p.parse_args()

    torch.manual_seed(0)
    env = PointEnv(args.num_envs)
    eval_env = PointEnv(2)
    policy, params = build_policy(env.obs_dim, env.act_dim)
    agent = PPO(policy, params, lr=args.lr, max_grad_norm=args.max_grad_norm)
    storage = RolloutStorage(args.num_steps)

    policy.train()
    obs = env.reset()
    for update in range(args.updates):
        obs = collect(env, policy, storage, obs)
        if update % args.eval_interval == 0:
            print(f"update {update}: return {evaluate_policy(policy, eval_env):.3f}")
        stats = agent.update(storage)
        storage.clear()
        print(f"update {update}: {stats}")


if __name__ == "__main__":
    main()
