import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_

from agents.replay import Replay


def imagine(model, policy, state, horizon):
    rewards = []
    for _ in range(horizon):
        state, reward = model.imagine(state, policy(state))
        rewards.append(reward.mean())
    return torch.stack(rewards).sum()


def learn(model, policy, replay: Replay, steps=50_000, horizon=5):
    model_opt = torch.optim.Adam(model.parameters(), lr=6e-4)
    policy_opt = torch.optim.Adam(policy.parameters(), lr=8e-5)
    for step in range(steps):
        state, action, following, reward = replay.sample(64)
        predicted, predicted_reward = model.imagine(state, action)
        model_loss = F.mse_loss(predicted, following) + F.mse_loss(predicted_reward, reward)
        model_opt.zero_grad()
        model_loss.backward()
        clip_grad_norm_(model.parameters(), 100.0)

        model.requires_grad_(False)
        policy_loss = -imagine(model, policy, state, horizon)
        policy_opt.zero_grad()
        policy_loss.backward()
        clip_grad_norm_(policy.parameters(), 100.0)
        model.requires_grad_(True)

        model_opt.step()
        policy_opt.step()
        if step % 500 == 0:
            print(f"{step} model {model_loss.item():.4f} return {-policy_loss.item():.3f}")
