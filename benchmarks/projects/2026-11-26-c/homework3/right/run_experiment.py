import argparse

import torch

from hw3.classifier import ClassifierTrainer
from hw3.datasets import train_test_loaders
from hw3.models import MLP


def run(epochs=4, hidden=(16, 16), lr=0.1, nonlin="tanh", noise=0.02, seed=1):
    torch.manual_seed(seed)
    dl_train, dl_test = train_test_loaders()
    model = MLP(2, hidden, 2, nonlin)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    trainer = ClassifierTrainer(model, torch.nn.CrossEntropyLoss(), optimizer, noise=noise)
    return trainer.fit(dl_train, dl_test, epochs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.1)
    args = parser.parse_args()
    result = run(epochs=args.epochs, lr=args.lr)
    print("best", max(r.accuracy for r in result.test))
