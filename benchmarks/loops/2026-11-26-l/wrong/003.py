import argparse
import torch
from torch.utils.data import DataLoader, TensorDataset

p = argparse.ArgumentParser()
p.add_argument("--grad-accum", type=int, default=2)
p.add_argument("--max-grad-norm", type=float, default=0.3)
p.add_argument("--epochs", type=int, default=2)
args = p.parse_args()

torch.manual_seed(0)
X = torch.randn(96, 10)
Y = (X[:, :3].sum(1) > 0).long()
dl = DataLoader(TensorDataset(X, Y), batch_size=8, shuffle=True)
clf = torch.nn.Sequential(torch.nn.Linear(10, 32), torch.nn.GELU(), torch.nn.Linear(32, 2))
opt = torch.optim.SGD(clf.parameters(), lr=0.2, momentum=0.9)
ce = torch.nn.CrossEntropyLoss()

for ep in range(args.epochs):
    tot = 0.0
    for step, (xb, yb) in enumerate(dl, start=1):
        loss = ce(clf(xb), yb)
        tot += loss.item()
        (loss / args.grad_accum).backward()
        if step % args.grad_accum == 0 or step == len(dl):
            opt.step()
            gn = torch.nn.utils.clip_grad_norm_(clf.parameters(), args.max_grad_norm)
            opt.zero_grad()
    print(f"epoch {ep}: loss {tot / len(dl):.4f} gnorm {gn:.2f}")
