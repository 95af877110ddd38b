import torch
from torch import nn
from torch.cuda import amp
from torch.nn.parallel import DistributedDataParallel


class Pretrainer:
    def __init__(self, network, window_source, rank, lr=1e-4):
        self.network = DistributedDataParallel(network.cuda(rank), device_ids=[rank])
        self.window_source = window_source
        self.rank = rank
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=lr, eps=1e-6)
        self.scaler = amp.GradScaler()
        self.criterion = nn.MSELoss()

    def update(self, window):
        self.optimizer.zero_grad(set_to_none=True)
        for position, (masked, original) in enumerate(window):
            with amp.autocast():
                restored = self.network(masked.cuda(self.rank))
                loss = self.criterion(restored, original.cuda(self.rank)) / len(window)
            scaled = self.scaler.scale(loss)
            if position < len(window) - 1:
                with self.network.no_sync():
                    scaled.backward()
            else:
                scaled.backward()
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item() * len(window)

    def run(self, updates):
        self.network.train()
        for number, window in enumerate(self.window_source):
            loss = self.update(window)
            if self.rank == 0 and number % 50 == 0:
                print(number, loss)
            if number + 1 >= updates:
                return
