import itertools

import lightning as L
import torch
import torch.nn.functional as F

from mnist import dataset, Net

WINDOW = 4
MAX_UPDATES = 3000


def main():
    fabric = L.Fabric(accelerator="cuda", devices=4, strategy="ddp", precision="bf16-mixed")
    fabric.launch()
    fabric.seed_everything(7)

    model = Net()
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    model, optimizer = fabric.setup(model, optimizer)
    loader = fabric.setup_dataloaders(torch.utils.data.DataLoader(dataset, batch_size=64, shuffle=True))
    batches = itertools.chain.from_iterable(itertools.repeat(loader))

    micro, updates = 0, 0
    while updates < MAX_UPDATES:
        data, target = next(batches)
        output = model(data)
        loss = F.nll_loss(output, target) / WINDOW
        fabric.backward(loss)
        micro += 1
        if micro == WINDOW:
            optimizer.step()
            optimizer.zero_grad()
            micro = 0
            updates += 1
            if updates % 100 == 0:
                fabric.print(f"{updates}: {loss.item() * WINDOW:.4f}")


if __name__ == "__main__":
    main()
