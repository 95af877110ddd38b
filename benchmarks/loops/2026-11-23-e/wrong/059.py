import torch
from torch import nn
from torch.amp import GradScaler
from torch.optim.lr_scheduler import OneCycleLR


class CTCModel(nn.Module):
    def __init__(self, feat=8, symbols=6):
        super().__init__()
        self.rnn = nn.GRU(feat, 20, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(40, symbols)

    def forward(self, x):
        return self.fc(self.rnn(x)[0]).log_softmax(-1)


def amp_step(model, batch, optimizer, scheduler, scaler, device, max_norm=1.0):
    x, y, xl, yl = batch
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(device, dtype=torch.float16):
        logp = model(x.to(device))
    loss = nn.functional.ctc_loss(logp.float().transpose(0, 1), y.to(device), xl, yl, zero_infinity=True)
    scaler.scale(loss).backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    old = scaler.get_scale()
    scaler.update()
    if scaler.get_scale() >= old:
        scheduler.step()
    return loss.item(), norm.item()


def fake_batch(bs=4, t=24, l=5):
    x = torch.randn(bs, t, 8)
    y = torch.randint(1, 6, (bs, l))
    return x, y, torch.full((bs,), t), torch.full((bs,), l)


def main(steps=20):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = CTCModel().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = OneCycleLR(optimizer, max_lr=3e-3, total_steps=steps)
    scaler = GradScaler(device, init_scale=4096.0)
    for i in range(steps):
        loss, norm = amp_step(model, fake_batch(), optimizer, scheduler, scaler, device)
        if i % 5 == 0:
            print(f"{i} loss {loss:.3f} norm {norm:.3f}")


if __name__ == "__main__":
    main()
