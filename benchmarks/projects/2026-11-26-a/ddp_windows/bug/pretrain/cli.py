import torch

from .distributed import epochs_of, gradient_sync, parallel, process_group, sharded
from .model import MaskedAutoencoder, Waves
from .windows import Windows

EPOCHS, BATCH, EVERY, PORT = 3, 8, 4, 29573


def train(rank):
    torch.manual_seed(0)
    model = parallel(MaskedAutoencoder())
    loader = sharded(Waves(120), BATCH)
    windows = Windows(EVERY, len(loader))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)

    model.train()
    for epoch in epochs_of(loader, EPOCHS, rank):
        total = 0.0
        for step, rows in enumerate(loader):
            hidden = torch.rand(rows.shape) < 0.3
            with gradient_sync(model, windows, step):
                loss = model(rows, hidden)
                (loss / windows.size(step)).backward()
            total += loss.item()
            if windows.closes(step):
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
        if rank == 0:
            print(f"  loss {total / len(loader):.4f}")


def main():
    with process_group(PORT) as rank:
        train(rank)


if __name__ == "__main__":
    main()
