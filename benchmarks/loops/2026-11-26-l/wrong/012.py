import torch
import torch.nn.functional as F


class ContrastiveTrainer:
    """SimCLR-like training with gradient accumulation."""

    def __init__(self, encoder, lr=0.1, accum_steps=3, temperature=0.2):
        self.encoder = encoder
        self.accum_steps = accum_steps
        self.t = temperature
        self.optimizer = torch.optim.SGD(encoder.parameters(), lr=lr)

    def nt_xent(self, a, b):
        z = F.normalize(torch.cat([a, b]), dim=1)
        sim = z @ z.T / self.t
        sim.fill_diagonal_(-1e4)
        n = a.size(0)
        target = torch.arange(2 * n).roll(n)
        return F.cross_entropy(sim, target)

    def micro_step(self, x):
        for p in self.encoder.parameters():
            p.grad = None
        v1 = x + 0.1 * torch.randn_like(x)
        v2 = x + 0.1 * torch.randn_like(x)
        loss = self.nt_xent(self.encoder(v1), self.encoder(v2))
        (loss / self.accum_steps).backward()
        return loss.item()

    def train(self, data, updates):
        pos = 0
        for u in range(updates):
            running = 0.0
            for _ in range(self.accum_steps):
                running += self.micro_step(data[pos % len(data)])
                pos += 1
            self.optimizer.step()
            print(u, running / self.accum_steps)


torch.manual_seed(0)
enc = torch.nn.Sequential(torch.nn.Linear(10, 32), torch.nn.ReLU(), torch.nn.Linear(32, 8))
ContrastiveTrainer(enc).train([torch.randn(8, 10) for _ in range(5)], updates=4)
