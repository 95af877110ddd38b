import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from dlrm_small.data import CriteoShards
from dlrm_small.model import HalfDLRM


class StaticScaler:
    def __init__(self, scale=1024.0):
        self.value = scale

    def scale(self, loss):
        return loss * self.value

    def unscale(self, parameters):
        inverse = 1.0 / self.value
        finite = True
        for p in parameters:
            if p.grad is not None:
                p.grad.mul_(inverse)
                finite = finite and bool(torch.isfinite(p.grad).all())
        return finite


def train(root, epochs=1, lr=0.1, clip=10.0):
    loader = DataLoader(CriteoShards(root), batch_size=None, num_workers=4)
    model = HalfDLRM(embedding=64).cuda()
    master = list(model.master_parameters())
    optimizer = torch.optim.SGD(master, lr=lr)
    bce = nn.BCEWithLogitsLoss()
    scaler = StaticScaler()
    skipped = 0
    for epoch in range(epochs):
        model.train()
        for step, (dense, sparse, click) in enumerate(loader):
            optimizer.zero_grad(set_to_none=True)
            logit = model(dense.cuda().half(), sparse.cuda())
            loss = bce(logit.float(), click.cuda())
            scaler.scale(loss).backward()
            if not scaler.unscale(master):
                skipped += 1
                continue
            nn.utils.clip_grad_norm_(master, clip)
            optimizer.step()
            if step % 1000 == 0:
                print(f"{step} {loss.item():.5f} skipped {skipped}")
    torch.save(model.state_dict(), "dlrm.pt")


if __name__ == "__main__":
    train("criteo-terabyte")
