import functools

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class DistributedLearner:
    """Learner of a population of actors; one update is made from several slices of a replay sample."""

    def __init__(self, net: nn.Module, replay, device, slices=4, lr=1e-4):
        self.net = DistributedDataParallel(net.to(device), device_ids=[device])
        self.replay = replay
        self.device = device
        self.slices = slices
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)

    def _td_loss(self, part, target_net):
        obs, action, reward, next_obs, done = part
        q = self.net(obs).gather(1, action[:, None]).squeeze(1)
        with torch.no_grad():
            target = reward + 0.99 * (1 - done) * target_net(next_obs).amax(1)
        return nn.functional.smooth_l1_loss(q, target)

    def update(self, target_net):
        sample = [t.to(self.device) for t in self.replay.sample(512)]
        parts = list(zip(*(t.chunk(self.slices) for t in sample)))
        loss_of = functools.partial(self._td_loss, target_net=target_net)
        self.optimizer.zero_grad()
        with self.net.no_sync():
            for part in parts[:-1]:
                (loss_of(part) / len(parts)).backward()
        last = loss_of(parts[-1])
        (last / len(parts)).backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 10.0)
        self.optimizer.step()
        return last.item()

    def run(self, updates, target_net, sync_every=2000):
        self.net.train()
        for n in range(updates):
            loss = self.update(target_net)
            if n % sync_every == 0:
                target_net.load_state_dict(self.net.module.state_dict())
            if n % 100 == 0 and dist.get_rank() == 0:
                print(n, loss)
