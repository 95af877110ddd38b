import torch
from torch.nn.utils import clip_grad_norm_

from enhance.losses import si_snr
from enhance.net import DualPathNet
from enhance.data import noisy_speech


def run_epoch(model, loader, optimizer, scaler, device, clip):
    model.train()
    score, batches = 0.0, 0
    for noisy, clean in loader:
        noisy, clean = noisy.to(device), clean.to(device)
        optimizer.zero_grad()
        with torch.amp.autocast("cuda", dtype=torch.float16):
            estimate = model(noisy)
            loss = -si_snr(estimate, clean).mean()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        scaler.update()
        score -= loss.item()
        batches += 1
    return score / batches


def main():
    device = torch.device("cuda")
    model = DualPathNet(features=64).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    halve = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.98)
    scaler = torch.amp.GradScaler("cuda")
    loader = noisy_speech("vctk", batch_size=4, shuffle=True)
    for epoch in range(100):
        snr = run_epoch(model, loader, optimizer, scaler, device, clip=5.0)
        halve.step()
        print(f"epoch {epoch} si-snr {snr:.2f} dB")


if __name__ == "__main__":
    main()
