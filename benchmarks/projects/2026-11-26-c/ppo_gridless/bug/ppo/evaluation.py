import torch


@torch.no_grad()
def evaluate_policy(policy, env, episodes=1):
    policy.eval()
    total = 0.0
    for _ in range(episodes):
        obs = env.reset()
        for _ in range(env.horizon):
            action, _, _ = policy.act(obs, deterministic=True)
            obs, reward, _ = env.step(action)
            total += reward.mean().item()
    return total / episodes
