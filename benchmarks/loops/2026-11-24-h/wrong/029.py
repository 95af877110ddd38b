import os
import tempfile

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Sine(Dataset):
    def __init__(self, n=80):
        self.t = torch.linspace(-3, 3, n).unsqueeze(1)

    def __len__(self):
        return len(self.t)

    def __getitem__(self, i):
        return self.t[i], self.t[i].sin()


class Trainer:
    def __init__(self, model, train_data, optimizer, gpu_id, save_every, snapshot_path, every=4):
        self.gpu_id = gpu_id
        self.model = DDP(model)
        self.train_data = train_data
        self.optimizer = optimizer
        self.save_every = save_every
        self.snapshot_path = snapshot_path
        self.every = every

    def _run_micro(self, source, targets):
        loss = F.mse_loss(self.model(source), targets)
        loss.backward()
        return loss.item()

    def _run_epoch(self, epoch):
        self.train_data.sampler.set_epoch(epoch)
        self.optimizer.zero_grad()
        pending = 0
        for source, targets in self.train_data:
            last = self._run_micro(source, targets)
            pending += 1
            if pending == self.every:
                self.optimizer.step()
                self.optimizer.zero_grad()
                pending = 0
        if pending:
            self.optimizer.step()
            self.optimizer.zero_grad()
        print(f"[GPU{self.gpu_id}] Epoch {epoch} | Steps: {len(self.train_data)} | loss {last:.3f}")

    def _save_snapshot(self, epoch):
        torch.save({"MODEL_STATE": self.model.module.state_dict(), "EPOCHS_RUN": epoch}, self.snapshot_path)

    def train(self, max_epochs):
        self.model.train()
        for epoch in range(max_epochs):
            self._run_epoch(epoch)
            if self.gpu_id == 0 and epoch % self.save_every == 0:
                self._save_snapshot(epoch)


def main(total_epochs=3, save_every=2, batch_size=8):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29629")
    dist.init_process_group("gloo", rank=int(os.environ.get("RANK", 0)), world_size=int(os.environ.get("WORLD_SIZE", 1)))
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    ds = Sine()
    loader = DataLoader(ds, batch_size=batch_size, shuffle=False, sampler=DistributedSampler(ds))
    path = os.path.join(tempfile.mkdtemp(), "snapshot.pt")
    Trainer(model, loader, optimizer, dist.get_rank(), save_every, path).train(total_epochs)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
