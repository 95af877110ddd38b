import argparse

import torch

import dist_utils
from datasets import get_loader
from engine import test, train_one_epoch
from models import SmallResNet


def get_args():
    parser = argparse.ArgumentParser("DDP training")
    parser.add_argument("--epochs", default=3, type=int)
    parser.add_argument("--batch_size", default=12, type=int)
    parser.add_argument("--accum_iter", default=3, type=int)
    parser.add_argument("--lr", default=0.1, type=float)
    return parser.parse_args()


def main(args):
    dist_utils.setup()
    torch.manual_seed(0)
    train_loader = get_loader("train", args.batch_size)
    test_loader = get_loader("test", args.batch_size)
    model = dist_utils.wrap(SmallResNet())
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, nesterov=True)
    for epoch in range(args.epochs):
        train_loader.sampler.set_epoch(epoch)
        loss = train_one_epoch(model, train_loader, optimizer, args.accum_iter)
        acc = test(model, test_loader)
        if dist_utils.is_main():
            print(f"Epoch: [{epoch}] loss {loss:.4f} acc@1 {acc:.3f}")
    dist_utils.cleanup()


if __name__ == "__main__":
    main(get_args())
