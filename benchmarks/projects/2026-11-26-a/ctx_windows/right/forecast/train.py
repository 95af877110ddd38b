import torch
from torch import nn
from torch.utils.data import DataLoader

from .baseline import persistence
from .contexts import evaluating, micro_batch, progress
from .model import Forecaster, demand
from .settings import Settings


def validate(model, loader, criterion):
    total = 0.0
    with evaluating(model) as net:
        for past, future in loader:
            total += criterion(net(past), future).item()
    return total / len(loader)


def main(settings=Settings()):
    torch.manual_seed(0)
    model = Forecaster()
    model.train()
    criterion = nn.L1Loss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings.lr)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
    loader = DataLoader(demand(settings.samples, 0), settings.batch, shuffle=True)
    held_out = DataLoader(demand(40, 1), settings.batch)

    print(f"persistence: {persistence(held_out, criterion):.4f}")
    for epoch in range(settings.epochs):
        running = 0.0
        for index, (past, future) in enumerate(progress(loader, f"epoch {epoch}")):
            with micro_batch(optimizer, index, settings.accumulate, len(loader)):
                loss = criterion(model(past), future)
                (loss / settings.accumulate).backward()
            running += loss.item()
        score = validate(model, held_out, criterion)
        scheduler.step(score)
        print(f"epoch {epoch}: train {running / len(loader):.4f} valid {score:.4f}")


if __name__ == "__main__":
    main()
