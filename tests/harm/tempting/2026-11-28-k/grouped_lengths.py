"""Molecules of like size go together; as many as fit are one update, piece by piece."""
import torch
from torch import nn


def molecules(n=42, seed=0):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        atoms = int(torch.randint(2, 9, (), generator=g))
        yield torch.randn(atoms, 5, generator=g)


def plan(found, budget=30):
    """Groups of molecules with at most so many atoms in sum."""
    group, atoms = [], 0
    for molecule in sorted(found, key=len):
        if atoms + len(molecule) > budget:
            yield group
            group, atoms = [], 0
        group.append(molecule)
        atoms += len(molecule)
    if group:
        yield group


class Energy(nn.Module):
    def __init__(self):
        super().__init__()
        self.atom = nn.Sequential(nn.Linear(5, 16), nn.SiLU(), nn.Linear(16, 1))

    def forward(self, molecule):
        return self.atom(molecule).mean()


def train(record, epochs=4):
    torch.manual_seed(8)
    model = Energy()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0, threshold=0.1)
    groups = list(plan(molecules()))
    for epoch in range(epochs):
        total, count = 0.0, 0
        for group in groups:
            optimizer.zero_grad()
            for molecule in group:
                truth = molecule.square().mean()
                loss = nn.functional.mse_loss(model(molecule), truth)
                loss.backward()
                total, count = total + loss.item(), count + 1
            optimizer.step()
            record(list(model.parameters()))
        plateau.step(total / count)
        print(epoch, [len(g) for g in groups], f"{total / count:.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
