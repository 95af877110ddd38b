import os
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


@dataclass
class LearnerConfig:
    updates: int = 10_000
    chunks: int = 4
    lr: float = 3e-4
    betas: tuple[float, float] = field(default=(0.9, 0.95))


class WorldModelLearner:
    def __init__(self, world_model: nn.Module, replay, config: LearnerConfig):
        self.config = config
        self.replay = replay
        self.rank = int(os.environ.get("RANK", 0))
        self.model = DistributedDataParallel(world_model) if int(os.environ.get("WORLD_SIZE", 1)) > 1 else world_model
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=config.lr, betas=config.betas)

    def chunk_loss(self):
        obs, action, following = self.replay.sample()
        predicted = self.model(torch.cat([obs, action], dim=-1))
        return nn.functional.smooth_l1_loss(predicted, following)

    def learn(self):
        done = 0
        self.model.train()
        while done < self.config.updates:
            mean = 0.0
            for _ in range(self.config.chunks):
                loss = self.chunk_loss() / self.config.chunks
                loss.backward()
                mean += loss.item()
            nn.utils.clip_grad_norm_(self.model.parameters(), 100.0)
            self.optimizer.step()
            self.optimizer.zero_grad()
            done += 1
            if self.rank == 0 and done % 100 == 0:
                print(f"{done}: {mean:.5f}")
