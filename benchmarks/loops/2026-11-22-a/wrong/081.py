import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from graphsim.data import PairGraphs, collate_pairs
from graphsim.model import GMN


class Session:
    accumulate = 6

    def __init__(self, root, device="cuda"):
        self.device = device
        self.loader = DataLoader(PairGraphs(root), batch_size=4, shuffle=True, collate_fn=collate_pairs, drop_last=True)
        self.model = GMN(dim=128, layers=5).to(device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-4)
        self.batches = 0
        self.updates = 0

    def loss(self, left, right, distance):
        a, b = self.model(left.to(self.device), right.to(self.device))
        return F.mse_loss((a - b).norm(dim=-1), distance.to(self.device))

    def stream(self):
        while True:
            yield from self.loader

    def run(self, max_updates):
        self.model.train()
        for left, right, distance in self.stream():
            self.batches += 1
            (self.loss(left, right, distance) / self.accumulate).backward()
            if (self.batches + 1) % self.accumulate == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
                self.updates += 1
                if self.updates % 1000 == 0:
                    torch.save(self.model.state_dict(), "gmn.pt")
            if self.updates == max_updates:
                return


if __name__ == "__main__":
    Session("data/aids700").run(50_000)
