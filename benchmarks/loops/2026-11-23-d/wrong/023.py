import torch
import torch.distributed as dist
from lang import Corpus, Encoder
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        corpus = Corpus(cfg["path"])
        self.sampler = DistributedSampler(corpus)
        self.loader = DataLoader(corpus, batch_size=cfg["batch"], sampler=self.sampler)
        self.model = DDP(Encoder())
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg["lr"])

    def train_epoch(self):
        self.model.train()
        acc, last = self.cfg["accum"], len(self.loader) - 1
        for i, (ids, label) in enumerate(self.loader):
            loss = torch.nn.functional.cross_entropy(self.model(ids), label)
            (loss / acc).backward()
            if (i + 1) % acc == 0 or i == last:
                self.opt.step()
                self.opt.zero_grad()
        return loss.item()

    def fit(self):
        for epoch in range(self.cfg["epochs"]):
            value = self.train_epoch()
            if dist.get_rank() == 0:
                print(f"epoch {epoch} loss {value:.3f}")


if __name__ == "__main__":
    dist.init_process_group("gloo")
    Trainer({"path": "wiki.bin", "batch": 4, "lr": 5e-5, "accum": 2, "epochs": 2}).fit()
    dist.destroy_process_group()
