import torch
from objectives import mask_loss
from trainkit import Cadence


def fit(net, batches, epochs, micro, lr=0.05):
    optimizer = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
    net.train()
    optimizer.zero_grad()
    for epoch in range(epochs):
        updates = Cadence(micro)
        total = 0.0
        for image, mask in batches:
            loss = mask_loss(net(image), mask)
            (loss / micro).backward()
            total += loss.item()
            if updates.tick():
                optimizer.step()
                optimizer.zero_grad()
        if updates.waiting:
            optimizer.step()
            optimizer.zero_grad()
        print(f"fit {epoch} {total / len(batches):.4f}")
