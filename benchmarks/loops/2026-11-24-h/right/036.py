import torch
import torch.nn as nn
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(30, 16)
        self.conv = nn.Conv1d(16, 16, 3, padding=1)
        self.fc = nn.Linear(16, 1)

    def forward(self, ids):
        h = torch.relu(self.conv(self.emb(ids).transpose(1, 2)))
        return self.fc(h.amax(2)).squeeze(1)


def main(epochs=3, accumulate=4):
    acc = Accelerator(cpu=True, gradient_accumulation_steps=accumulate)
    torch.manual_seed(44)
    ids = torch.randint(0, 30, (112, 12))
    target = (ids == 7).sum(1).float()
    train_dl = DataLoader(TensorDataset(ids, target), batch_size=8, shuffle=True)
    model = Regressor()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
    per_epoch = -(-len(train_dl) // accumulate)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=epochs * per_epoch)
    model, opt, train_dl, sched = acc.prepare(model, opt, train_dl, sched)
    mse = nn.MSELoss()

    for epoch in range(epochs):
        model.train()
        shown = torch.zeros(())
        for ids_b, target_b in train_dl:
            with acc.accumulate(model):
                loss = mse(model(ids_b), target_b)
                acc.backward(loss)
                if acc.sync_gradients:
                    acc.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                sched.step()
                opt.zero_grad()
            shown += loss.detach()
        acc.print(f"epoch {epoch} mse {shown.item() / len(train_dl):.4f} lr {sched.get_last_lr()[0]:.5f}")


if __name__ == "__main__":
    main()
