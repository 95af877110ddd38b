import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class Molecule:
    def __init__(self, rng):
        n = rng.randrange(3, 9)
        self.x = torch.randn(n, 4)
        a = (torch.rand(n, n) > 0.5).float()
        self.adj = ((a + a.T) > 0).float()
        self.y = self.x.mean()


class GNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1, self.w2 = nn.Linear(4, 16), nn.Linear(16, 1)

    def forward(self, m):
        h = torch.relu(self.w1(m.adj @ m.x + m.x))
        return self.w2(h.mean(0)).squeeze()


class AtomBudgetTrainer:
    """An update is due as soon as enough atoms went through the network."""

    def __init__(self, gnn, atoms_per_update=60):
        self.gnn, self.budget = gnn, atoms_per_update
        self.opt = torch.optim.Adam(gnn.parameters(), lr=5e-3)
        self.atoms = self.graphs = self.updates = 0

    def apply(self):
        for p in self.gnn.parameters():
            p.grad /= self.graphs
        self.opt.step()
        self.opt.zero_grad()
        self.atoms = self.graphs = 0
        self.updates += 1

    def epoch(self, mols):
        self.gnn.train()
        err = 0.0
        for m in mols:
            loss = F.mse_loss(self.gnn(m), m.y)
            loss.backward()
            err += loss.item()
            self.atoms += len(m.x)
            self.graphs += 1
            if self.atoms >= self.budget:
                self.apply()
        if self.graphs:
            self.apply()
        return err / len(mols)


if __name__ == "__main__":
    rng = random.Random(3)
    torch.manual_seed(3)
    mols = [Molecule(rng) for _ in range(70)]
    trainer = AtomBudgetTrainer(GNN())
    for e in range(3):
        rng.shuffle(mols)
        print(e, f"{trainer.epoch(mols):.4f}", trainer.updates)
