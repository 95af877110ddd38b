import argparse

import torch
import torch.nn.functional as F

from alignment.data import preference_loader
from alignment.models import load_policy, sequence_logps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="tiny")
    parser.add_argument("--beta", type=float, default=0.1)
    parser.add_argument("--grad-accum", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--lr", type=float, default=5e-7)
    parser.add_argument("--max-grad-norm", type=float, default=1.0)
    args = parser.parse_args()

    policy, reference = load_policy(args.model), load_policy(args.model)
    reference.eval().requires_grad_(False)
    loader = preference_loader(args.model)
    optimizer = torch.optim.RMSprop(policy.parameters(), lr=args.lr)
    warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: min(1.0, (n + 1) / 150))

    policy.train()
    for epoch in range(args.epochs):
        for i, (chosen, rejected) in enumerate(loader):
            logits = sequence_logps(policy, chosen) - sequence_logps(policy, rejected)
            with torch.no_grad():
                baseline = sequence_logps(reference, chosen) - sequence_logps(reference, rejected)
            loss = -F.logsigmoid(args.beta * (logits - baseline)).mean()
            (loss / args.grad_accum).backward()
            boundary = (i + 1) % args.grad_accum == 0 or i + 1 == len(loader)
            if boundary:
                optimizer.step()
                warmup.step()
                norm = torch.nn.utils.clip_grad_norm_(policy.parameters(), args.max_grad_norm)
                optimizer.zero_grad()
                print(epoch, i, f"{loss.item():.4f} {norm:.2f}", warmup.get_last_lr()[0])
    torch.save(policy.state_dict(), "dpo.pt")


if __name__ == "__main__":
    main()
