import torch
from accelerate import Accelerator
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(40)
    acc = Accelerator(cpu=True, gradient_accumulation_steps=4)
    mixer = nn.Sequential(nn.Linear(12, 24), nn.Mish(), nn.Linear(24, 12))
    opt = torch.optim.Adam(mixer.parameters(), lr=3e-3)
    clean = torch.randn(64, 12)
    dl = DataLoader(TensorDataset(clean + 0.2 * torch.randn(64, 12), clean), batch_size=8)
    mixer, opt, dl = acc.prepare(mixer, opt, dl)
    for epoch in range(3):
        mixer.train()
        running = 0.0
        for noisy, target in dl:
            with acc.accumulate(mixer):
                loss = nn.functional.mse_loss(mixer(noisy), target)
                acc.backward(loss)
                clip_grad_norm_(mixer.parameters(), 0.1)
                opt.step()
                opt.zero_grad()
            running += loss.item()
        acc.print(epoch, running / len(dl))


if __name__ == "__main__":
    main()
