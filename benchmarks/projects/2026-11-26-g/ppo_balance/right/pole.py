import torch


@torch.no_grad()
def rollout(agent, steps):
    state = torch.zeros(3)
    states, actions, logps, rewards = [], [], [], []
    for _ in range(steps):
        dist = agent.policy_of(state)
        action = dist.sample()
        states.append(state)
        actions.append(action)
        logps.append(dist.log_prob(action))
        push = action.float() * 2 - 1
        angle = state[0] + 0.1 * state[1]
        speed = 0.95 * state[1] + 0.2 * push + 0.05 * torch.randn(())
        state = torch.stack([angle, speed, push])
        rewards.append(1.0 - angle.abs().item())
    gains, run = [], 0.0
    for r in reversed(rewards):
        run = r + 0.95 * run
        gains.insert(0, run)
    batch = {"s": torch.stack(states), "a": torch.stack(actions), "p": torch.stack(logps), "g": torch.tensor(gains)}
    return batch, sum(rewards) / steps
