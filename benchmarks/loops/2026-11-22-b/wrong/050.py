import torch
import torch.nn.functional as F
from torch import nn
from torch.amp import GradScaler, autocast
from torch.utils.data import DataLoader

from rec.data import SessionDataset


class SessionModel(nn.Module):
    def __init__(self, n_items: int, dim: int = 128):
        super().__init__()
        self.items = nn.Embedding(n_items, dim, sparse=True, padding_idx=0)
        self.gru = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, dim)

    def forward(self, session, candidates):
        h, _ = self.gru(self.items(session))
        query = self.out(h[:, -1])
        return torch.einsum("bd,bkd->bk", query, self.items(candidates))

    def dense_parameters(self):
        yield from self.gru.parameters()
        yield from self.out.parameters()


def make_optimizers(model: SessionModel, lr: float):
    dense = torch.optim.AdamW(model.dense_parameters(), lr=lr)
    sparse = torch.optim.SGD(model.items.parameters(), lr=10 * lr)
    return dense, sparse


def train(path: str, epochs: int = 5, lr: float = 1e-3) -> SessionModel:
    dataset = SessionDataset(path)
    loader = DataLoader(dataset, 512, shuffle=True, num_workers=4)
    model = SessionModel(dataset.n_items).cuda()
    dense, sparse = make_optimizers(model, lr)
    scaler = GradScaler("cuda", init_scale=2.0**12)
    warm = torch.optim.lr_scheduler.LinearLR(dense, 0.1, 1.0, total_iters=1000)

    model.train()
    for epoch in range(epochs):
        total = 0.0
        for session, candidates, label in loader:
            with autocast("cuda", dtype=torch.float16):
                scores = model(session.cuda(), candidates.cuda())
                loss = F.cross_entropy(scores, label.cuda())
            scaler.scale(loss).backward()
            scaler.step(dense)
            sparse.step()
            scaler.update()
            dense.zero_grad()
            sparse.zero_grad()
            warm.step()
            total += loss.item()
        print(f"epoch {epoch}: {total / len(loader):.4f}")
    return model
