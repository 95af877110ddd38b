import itertools

import torch


def evaluate(model, loader, device):
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for x, y in loader:
            correct += (model(x.to(device)).argmax(1).cpu() == y).sum().item()
            total += len(y)
    return correct / total


def train(model, train_loader, test_loader, max_steps=30_000, eval_every=500, device="cuda"):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, max_steps)
    loss_fn = torch.nn.CrossEntropyLoss()
    model.to(device)
    model.train()
    for step, (x, y) in enumerate(itertools.cycle(train_loader), 1):
        optimizer.zero_grad()
        loss = loss_fn(model(x.to(device)), y.to(device))
        loss.backward()
        optimizer.step()
        scheduler.step()
        if step % eval_every == 0:
            accuracy = evaluate(model, test_loader, device)
            print(f"step {step}: loss {loss.item():.3f} accuracy {accuracy:.3f}")
        if step >= max_steps:
            break


if __name__ == "__main__":
    from cifar import build_resnet18, get_loaders

    train(build_resnet18(), *get_loaders(batch_size=128))
