import torch


def chunks(count, device, batch=4, frames=16, n_mels=10):
    for _ in range(count):
        pitch = torch.rand(batch, 1, 1) * 0.5 + 0.1
        wave = torch.sin(pitch * torch.arange(frames * 4))
        mel = wave.unfold(2, 4, 4).mean(-1).expand(batch, n_mels, frames)
        yield (mel + 0.05 * torch.randn(batch, n_mels, frames)).to(device), wave.to(device)
