import torch
import torch.nn.functional as F
from accelerate import Accelerator

from audio_tags import build_loader, build_model

WINDOW = 4


def endless(loader):
    while True:
        yield from loader


def main(updates=5000):
    accelerator = Accelerator()
    model = build_model(classes=527)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    loader = build_loader("audioset", batch_size=32)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    model.train()
    micro, done = 1, 0
    for spectrogram, tags in endless(loader):
        loss = F.binary_cross_entropy_with_logits(model(spectrogram), tags)
        accelerator.backward(loss / WINDOW)
        micro += 1
        if micro % WINDOW == 0:
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            done += 1
            if done % 100 == 0:
                accelerator.print(done, loss.item())
        if done == updates:
            break
    accelerator.save_model(model, "tags")


if __name__ == "__main__":
    main()
