import torch
from data import build_loader
from models import Net


@torch.inference_mode()
def evaluate(model, loader):
    model.eval()
    correct = sum(int((model(x).argmax(1) == y).sum()) for x, y in loader)
    return correct / sum(len(y) for _, y in loader)


def main():
    model = Net()
    train, val = build_loader("train"), build_loader("val")
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, mode="max", patience=1)
    for epoch in range(3):
        model.train()
        for x, y in train:
            opt.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(x), y)
            loss.backward()
            opt.step()
        acc = evaluate(model, val)
        sched.step(acc)
        print(epoch, acc)


if __name__ == "__main__":
    main()
