import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packages" / "rlcore" / "src"))

import torch
import torch.distributed as dist
from torch.distributions import Categorical
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.nn.utils import clip_grad_norm_

from env import PointEnv
from policy import ActorCritic
from rlcore import collect, descend, discounted, score, unwrap

CONFIG = {"updates": 6, "episodes": 4, "epochs": 2, "gamma": 0.95, "clip": 0.2, "lr": 3e-3, "max_norm": 0.5}


def ppo_loss(policy, obs, actions, old_log_probs, returns, clip):
    logits, values = policy(obs)
    choice = Categorical(logits=logits)
    advantage = returns - values.detach()
    ratio = (choice.log_prob(actions) - old_log_probs).exp()
    surrogate = torch.min(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage)
    return -surrogate.mean() + 0.5 * F.mse_loss(values, returns) - 0.01 * choice.entropy().mean()


def main():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29631")
    rank, world_size = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    torch.manual_seed(1 + rank)
    env, cfg = PointEnv(), CONFIG
    policy = DistributedDataParallel(ActorCritic(env.observation_size, env.actions))
    optimizer = torch.optim.Adam(policy.parameters(), lr=cfg["lr"])
    for update in range(cfg["updates"]):
        policy.train()
        obs, actions, log_probs, rewards = collect(unwrap(policy), env, cfg["episodes"])
        returns = discounted(rewards, cfg["gamma"])
        for _ in range(cfg["epochs"]):
            loss = ppo_loss(policy, obs, actions, log_probs, returns, cfg["clip"])
            descend(loss, optimizer)
            clip_grad_norm_(policy.parameters(), cfg["max_norm"])
            optimizer.step()
        if update % 2 == 1:
            with torch.no_grad():
                reward = score(unwrap(policy), env, 3)
            print(f"update {update}: loss {loss.item():.3f} score {reward:.2f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
