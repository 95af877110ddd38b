import torch
import torch.nn.functional as F

from progressive import GrowingNet, make_loader

WINDOWS = {0: 1, 5: 2, 10: 4, 20: 8}


def window_at(epoch):
    return max(size for start, size in WINDOWS.items() if epoch >= start) if epoch else WINDOWS[0]


def groups(loader, size):
    group = []
    for batch in loader:
        group.append(batch)
        if len(group) >= size:
            yield group
            group = []
    if group:
        yield group


def main(epochs=40):
    model = GrowingNet(stages=4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    loader = make_loader("train", batch_size=64)
    for epoch in range(epochs):
        model.train()
        size = window_at(epoch)
        updates = 0
        for group in groups(loader, size):
            weight = 1.0 / len(group)
            optimizer.zero_grad(set_to_none=True)
            for x, y in group:
                loss = weight * F.cross_entropy(model(x), y)
                loss.backward()
            optimizer.step()
            updates += 1
        print(f"epoch {epoch}: window {size}, {updates} updates")


main()
