import tempfile
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def save(path, model, opt, epoch):
    torch.save({"model": model.module.state_dict(), "opt": opt.state_dict(), "epoch": epoch}, path)


def main(workdir, epochs=3):
    dist.init_process_group("gloo", init_method=f"file://{workdir}/rendezvous", rank=0, world_size=1)
    torch.manual_seed(46)
    x = torch.randn(128, 6)
    dataset = TensorDataset(x, (x.sum(1) > 0).long())
    sampler = DistributedSampler(dataset, shuffle=True, seed=46)
    loader = DataLoader(dataset, batch_size=16, sampler=sampler)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2)))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    ckpt, start = Path(workdir) / "last.pt", 0
    if ckpt.exists():
        state = torch.load(ckpt)
        model.module.load_state_dict(state["model"])
        opt.load_state_dict(state["opt"])
        start = state["epoch"] + 1
    for epoch in range(start, epochs):
        model.train()
        for xb, yb in loader:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(xb), yb)
            loss.backward()
            opt.step()
        save(ckpt, model, opt, epoch)
        print(epoch, loss.item())
    dist.destroy_process_group()


with tempfile.TemporaryDirectory() as tmp:
    main(tmp)
