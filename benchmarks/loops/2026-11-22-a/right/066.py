from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class Settings:
    clip: float = 0.2
    passes: int = 4
    parts: int = 4
    value: float = 0.5
    entropy: float = 0.01
    lr: float = 2.5e-4
    max_norm: float = 0.5


class Learner:
    def __init__(self, agent: nn.Module, settings: Settings):
        self.agent = agent
        self.s = settings
        self.optimizer = torch.optim.Adam(agent.parameters(), lr=settings.lr, eps=1e-5)

    def surrogate(self, log_prob, old_log_prob, advantage):
        ratio = (log_prob - old_log_prob).exp()
        bounded = ratio.clamp(1 - self.s.clip, 1 + self.s.clip)
        return -torch.minimum(ratio * advantage, bounded * advantage).mean()

    def parts(self, size):
        for _ in range(self.s.passes):
            yield from torch.randperm(size).chunk(self.s.parts)

    def learn(self, memory):
        advantage = memory.returns - memory.values
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-5)
        history = []
        for rows in self.parts(len(advantage)):
            value, log_prob, entropy = self.agent.evaluate(memory.observations[rows], memory.actions[rows])
            policy_loss = self.surrogate(log_prob, memory.log_probs[rows], advantage[rows])
            value_loss = 0.5 * (memory.returns[rows] - value).square().mean()
            self.optimizer.zero_grad()
            (policy_loss + self.s.value * value_loss - self.s.entropy * entropy.mean()).backward()
            nn.utils.clip_grad_norm_(self.agent.parameters(), self.s.max_norm)
            self.optimizer.step()
            history.append((policy_loss.item(), value_loss.item()))
        return [sum(column) / len(history) for column in zip(*history)]
