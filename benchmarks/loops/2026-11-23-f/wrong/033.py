import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def step(loss, params, optimizer, scaler, max_norm):
    scaler.scale(loss).backward()
    nn.utils.clip_grad_norm_(params, max_norm)
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()


def main():
    ds = TensorDataset(torch.randn(64, 4, 8), torch.randint(0, 3, (64,)))
    enc = nn.TransformerEncoderLayer(8, 2, dim_feedforward=16, dropout=0.0, batch_first=True)
    head = nn.Linear(8, 3)
    params = [*enc.parameters(), *head.parameters()]
    optimizer = torch.optim.AdamW(params, lr=1e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=2048.0)
    for epoch in range(3):
        for x, y in DataLoader(ds, batch_size=16, shuffle=True):
            optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                loss = nn.functional.cross_entropy(head(enc(x).mean(1)).float(), y)
            step(loss, params, optimizer, scaler, 1.0)
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
