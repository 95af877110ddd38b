import torch

from comm import replicate, single_host
from engine import evaluate, train_one_epoch
from sentences import build_loader
from tagger import Tagger

EPOCHS = 3
WINDOW = 4


def main():
    torch.manual_seed(1)
    train_loader = build_loader(160, 16)
    dev_loader = build_loader(64, 16, train=False)
    model = replicate(Tagger())
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for epoch in range(EPOCHS):
        loss = train_one_epoch(model, train_loader, optimizer, WINDOW)
        print(epoch, round(loss, 4), round(evaluate(model, dev_loader), 3))


if __name__ == "__main__":
    with single_host():
        main()
