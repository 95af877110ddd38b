import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MaskNet(nn.Module):
    """Predicts a mask over magnitude frames."""

    def __init__(self, bins=33, hidden=32):
        super().__init__()
        self.rnn = nn.GRU(bins, hidden, batch_first=True)
        self.mask = nn.Sequential(nn.Linear(hidden, bins), nn.Sigmoid())

    def forward(self, mag):
        return mag * self.mask(self.rnn(mag)[0])


def frames(n):
    wave = torch.sin(torch.arange(1024) * torch.rand(n, 1))
    noisy = wave + 0.3 * torch.randn_like(wave)
    win = torch.hann_window(64)
    spec = lambda w: torch.stft(w, 64, 32, window=win, return_complex=True).abs().transpose(1, 2)
    return TensorDataset(spec(noisy), spec(wave))


def enhance(total_updates=24, max_norm=3.0):
    torch.manual_seed(4)
    kind = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(frames(48), batch_size=8, shuffle=True)
    model = MaskNet().to(kind)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    scaler = torch.amp.GradScaler(kind, init_scale=2.0 ** 12)
    mse = nn.MSELoss()
    source = iter(loader)
    done = 0
    while done < total_updates:
        try:
            noisy, clean = next(source)
        except StopIteration:
            source = iter(loader)
            continue
        noisy, clean = noisy.to(kind), clean.to(kind)
        optimizer.zero_grad()
        with torch.autocast(kind, dtype=torch.float16):
            est = model(noisy)
            loss = mse(est.float(), clean)
            scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        scaler.step(optimizer)
        scaler.update()
        done += 1
        if not done % 6:
            print(f"update {done}: mse {loss.item():.5f} scale {scaler.get_scale():.0f}")


if __name__ == "__main__":
    enhance()
