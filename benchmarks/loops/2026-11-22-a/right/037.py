import argparse

import torch
import torch.nn as nn
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader

from vqa.data import VQAv2, collate
from vqa.model import MCAN


class Updater:
    def __init__(self, model, optimizer, scaler, max_norm):
        self.model, self.optimizer, self.scaler, self.max_norm = model, optimizer, scaler, max_norm

    def clip(self):
        self.scaler.unscale_(self.optimizer)
        return nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)

    def __call__(self):
        norm = self.clip()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        return norm.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", type=int, default=64)
    parser.add_argument("--grad_accu_steps", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=13)
    args = parser.parse_args()
    loader = DataLoader(VQAv2("train"), args.batch_size, shuffle=True, collate_fn=collate, num_workers=8)
    model = MCAN(layers=6).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98))
    criterion = nn.BCEWithLogitsLoss(reduction="sum")
    scaler = GradScaler()
    update = Updater(model, optimizer, scaler, 1.0)
    for epoch in range(args.epochs):
        model.train()
        for step, (regions, question, answer) in enumerate(loader):
            with autocast():
                logits = model(regions.cuda(), question.cuda())
                loss = criterion(logits, answer.cuda()) / (args.batch_size * args.grad_accu_steps)
            scaler.scale(loss).backward()
            if (step + 1) % args.grad_accu_steps == 0 or step + 1 == len(loader):
                norm = update()
            if step % 100 == 0:
                print(f"{epoch} {step} {loss.item() * args.grad_accu_steps:.4f}")
        print(f"epoch {epoch} last norm {norm:.3f}")
        torch.save(model.state_dict(), f"mcan_{epoch}.pkl")


if __name__ == "__main__":
    main()
