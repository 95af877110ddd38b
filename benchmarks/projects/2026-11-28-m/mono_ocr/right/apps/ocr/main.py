import torch
from ampkit import MixedStepper
from glyphs import test_batches, train_batches
from reader import Reader
from torch.nn import functional as F


@torch.no_grad()
def accuracy(net, batches):
    net.eval()
    hits = [(net.classify(ink).argmax(1) == digit).float().mean().item() for ink, digit, _ in batches]
    return sum(hits) / len(hits)


def main():
    torch.manual_seed(0)
    net = Reader()
    stepper = MixedStepper(torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9))
    train, test = train_batches(), test_batches()
    for epoch in range(6):
        net.train()
        for ink, digit, width in train:
            stepper.optimizer.zero_grad()
            with stepper.cast():
                chars = F.cross_entropy(net.classify(ink).float(), digit)
                widths = F.mse_loss(net.measure(ink).float(), width)
            stepper.backward(chars)
            stepper.backward(widths)
            stepper.limit(net.parameters(), 5.0)
            stepper.commit()
        print(epoch, f"chars {chars.item():.3f} widths {widths.item():.4f} acc {accuracy(net, test):.3f}")


if __name__ == "__main__":
    main()
