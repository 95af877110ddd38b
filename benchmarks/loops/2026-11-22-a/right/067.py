import numpy as np
import torch
import torch.nn.functional as F

from bc.env import make_env
from bc.memory import EpisodeMemory
from bc.policy import TransformerPolicy


@torch.no_grad()
def collect(policy, env, episodes):
    policy.eval()
    gathered, scores = [], []
    for _ in range(episodes):
        obs, done, score, steps = env.reset(), False, 0.0, []
        while not done:
            action = policy.act(torch.as_tensor(obs).float()[None].cuda()).argmax(-1).item()
            nxt, reward, done, info = env.step(action)
            steps.append((obs, info["expert_action"]))
            score += reward
            obs = nxt
        gathered.append(steps)
        scores.append(score)
    return gathered, float(np.mean(scores))


def dagger(config):
    env = make_env(config["env"])
    policy = TransformerPolicy(env.observation_space, env.action_space, dropout=0.1).cuda()
    trainable = list(filter(lambda p: p.requires_grad, policy.parameters()))
    optimizer = torch.optim.AdamW(trainable, lr=config["lr"], weight_decay=1e-2)
    memory = EpisodeMemory.load(config["demonstrations"])
    for round_ in range(config["rounds"]):
        policy.train()
        for _ in range(config["updates_per_round"]):
            obs, expert = memory.sample(config["batch"])
            loss = F.cross_entropy(policy(obs.cuda()), expert.cuda())
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trainable, config["clip"])
            optimizer.step()
        episodes, score = collect(policy, env, config["episodes"])
        memory.extend(episodes)
        print(f"round {round_} loss {loss.item():.4f} return {score:.1f}")
    return policy
