import argparse
import os
import tempfile

import torch
import torch.nn.functional as F

from data import distributed_loader, sequences
from engine import fit_epoch, score
from model import SequenceNet, trainable
from parallel import process_group, wrap


def classify(model, batch):
    x, y = batch
    return F.cross_entropy(model(x), y)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--init", default=os.path.join(tempfile.gettempdir(), "sequence_net.pt"))
    args = parser.parse_args()

    torch.manual_seed(1)
    with process_group(29543):
        train_loader = distributed_loader(sequences(60, 2), 8, shuffle=True)
        valid_loader = distributed_loader(sequences(24, 3), 8, shuffle=False)
        net = SequenceNet().set_task("cls")
        if os.path.exists(args.init):
            net.load_state_dict(torch.load(args.init))
        model = wrap(net)
        optimizer = torch.optim.Adam(trainable(model), lr=5e-3)
        for epoch in range(args.epochs):
            loss = fit_epoch(model, train_loader, optimizer, classify)
            print(f"finetune {epoch} loss {loss:.4f} valid {score(model, valid_loader, classify):.4f}")


if __name__ == "__main__":
    main()
