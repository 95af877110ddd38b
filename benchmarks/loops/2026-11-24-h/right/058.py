import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def norm_guard(max_norm, record):
    def hook(optimizer, args, kwargs):
        params = [p for group in optimizer.param_groups for p in group["params"]]
        record.append(nn.utils.clip_grad_norm_(params, max_norm).item())
    return hook


class Forecaster(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, past):
        return self.out(self.lstm(past.unsqueeze(-1))[0][:, -1]).squeeze(-1)


def windows(series, k):
    w = series.unfold(0, k + 1, 1)
    return TensorDataset(w[:, :-1], w[:, -1])


def main():
    torch.manual_seed(6)
    series = torch.sin(torch.arange(260) * 0.21) + 0.05 * torch.randn(260)
    ds = windows(series, 20)
    cut = 200
    fit_dl = DataLoader(torch.utils.data.Subset(ds, range(cut)), 25, shuffle=True)
    test = ds[cut:]
    net = Forecaster()
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    norms = []
    opt.register_step_pre_hook(norm_guard(0.25, norms))
    mse = nn.MSELoss()

    for epoch in range(5):
        for past, nxt in fit_dl:
            opt.zero_grad()
            mse(net(past), nxt).backward()
            opt.step()
        with torch.no_grad():
            err = mse(net(test[0]), test[1])
        print(f"epoch {epoch}: test mse {err.item():.4f}, largest norm {max(norms):.3f}")
        norms.clear()


if __name__ == "__main__":
    main()
