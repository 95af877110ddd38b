import io

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def save(model, opt, epoch):
    buf = io.BytesIO()
    torch.save({"model": model.state_dict(), "opt": opt.state_dict(), "epoch": epoch}, buf)
    return buf


def load(buf, model, opt):
    buf.seek(0)
    ck = torch.load(buf, weights_only=True)
    model.load_state_dict(ck["model"])
    opt.load_state_dict(ck["opt"])
    return ck["epoch"] + 1


def train_epochs(model, opt, loader, start, stop, accum=4):
    for epoch in range(start, stop):
        model.train()
        for idx, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(model(x), y)
            (loss / accum).backward()
            if idx % accum == accum - 1:
                opt.step()
                opt.zero_grad()
        print("epoch", epoch, loss.item())
    return save(model, opt, stop - 1)


if __name__ == "__main__":
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.randn(52, 3), torch.randn(52, 1)), batch_size=4, shuffle=True)
    model = nn.Linear(3, 1)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    state = train_epochs(model, opt, loader, 0, 2)
    start = load(state, model, opt)
    train_epochs(model, opt, loader, start, start + 2)
