import torch
from torch import nn
from torch.utils.data import DataLoader

from codec.data import Segments
from codec.model import EncodecLite


def apply_gradients(model, optimizer, clip):
    nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def train(root, epochs=100, batch_size=32, clip=1.0):
    loader = DataLoader(Segments(root, seconds=1), batch_size=batch_size, shuffle=True, num_workers=8, pin_memory=True)
    model = EncodecLite(channels=32, quantizers=8).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-4, betas=(0.5, 0.9))
    ready = False
    for epoch in range(epochs):
        model.train()
        for wave in loader:
            wave = wave.cuda(non_blocking=True)
            if ready:
                apply_gradients(model, optimizer, clip)
            recon, commit = model(wave)
            loss = (recon - wave).abs().mean() + commit
            loss.backward()
            ready = True
        print(f"epoch {epoch} {loss.item():.4f}")
    if ready:
        apply_gradients(model, optimizer, clip)
    torch.save(model.state_dict(), "codec.pt")
