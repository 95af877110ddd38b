import argparse

import torch
import torch.nn.functional as F

from ocr.batches import line_batches
from ocr.model import CRNN


def forward_backward(model, images, labels, lengths, weight):
    model.zero_grad(set_to_none=True)
    log_probs = model(images).log_softmax(-1).transpose(0, 1)
    frames = torch.full((images.size(0),), log_probs.size(0), dtype=torch.long)
    loss = F.ctc_loss(log_probs, labels, frames, lengths, zero_infinity=True)
    (weight * loss).backward()
    return loss.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--updates", type=int, default=20_000)
    parser.add_argument("--window", type=int, default=3)
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()

    model = CRNN(alphabet=96)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=args.lr)
    stream = iter(line_batches("lines.lmdb"))
    model.train()
    for update in range(args.updates):
        mean = 0.0
        for _, (images, labels, lengths) in zip(range(args.window), stream):
            mean += forward_backward(model, images, labels, lengths, 1 / args.window) / args.window
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        if update % 100 == 0:
            print(f"{update:6d} ctc {mean:.3f}")


if __name__ == "__main__":
    main()
