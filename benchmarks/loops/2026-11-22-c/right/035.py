import torch
import torch.nn.functional as F

from arena.selfplay import PositionBuffer


class PolicyUpdater:
    def __init__(self, network, buffer: PositionBuffer, micro_batches=3, lr=1e-3):
        self.network = network
        self.buffer = buffer
        self.micro_batches = micro_batches
        self.optimizer = torch.optim.SGD(network.parameters(), lr=lr, momentum=0.9)
        self.ticks = 0

    def tick(self):
        update, micro = divmod(self.ticks, self.micro_batches)
        if micro == 0:
            self.optimizer.zero_grad()
        boards, policy = self.buffer.draw()
        logits = self.network(boards)
        loss = F.cross_entropy(logits, policy)
        loss.div(self.micro_batches).backward()
        if micro == self.micro_batches - 1:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self.optimizer.step()
            if update % 100 == 0:
                print(f"update {update} loss {loss.item():.4f}")
        self.ticks += 1

    def run(self, updates):
        self.network.train()
        for _ in range(updates * self.micro_batches):
            self.tick()
        return self.network
