import torch
from torch import nn

from codec.losses import feature_loss, spectral_loss


class CodecTrainer:
    def __init__(self, encoder, quantizer, decoder, lr=3e-4):
        self.nets = nn.ModuleDict({"encoder": encoder, "quantizer": quantizer, "decoder": decoder})
        self.optimizers = {name: torch.optim.Adam(net.parameters(), lr=lr) for name, net in self.nets.items()}
        self.scaler = torch.amp.GradScaler("cuda")
        self.limits = {"encoder": 1.0, "quantizer": 0.1, "decoder": 1.0}

    def forward(self, audio):
        with torch.autocast("cuda", dtype=torch.float16):
            code, commitment = self.nets["quantizer"](self.nets["encoder"](audio))
            restored = self.nets["decoder"](code)
        restored = restored.float()
        return spectral_loss(restored, audio) + feature_loss(restored, audio) + 0.25 * commitment.float()

    def update(self, audio):
        for optimizer in self.optimizers.values():
            optimizer.zero_grad(set_to_none=True)
        loss = self.forward(audio)
        self.scaler.scale(loss).backward()
        for name, optimizer in self.optimizers.items():
            self.scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(self.nets[name].parameters(), self.limits[name])
        for optimizer in self.optimizers.values():
            self.scaler.step(optimizer)
        self.scaler.update()
        return loss.item()

    def fit(self, loader, epochs):
        self.nets.train()
        for epoch in range(epochs):
            losses = [self.update(audio.cuda()) for audio in loader]
            print(epoch, sum(losses) / len(losses))
