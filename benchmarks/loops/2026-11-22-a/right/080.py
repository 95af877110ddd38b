import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader

from fairface.data import Faces
from fairface.model import FaceEncoder


class Adversary(nn.Module):
    def __init__(self, dim, groups):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 256), nn.ReLU(), nn.Linear(256, groups))

    def forward(self, z):
        return self.net(z)


def main(epochs=30, weight=0.3, lr=3e-4):
    data = Faces("train")
    loader = DataLoader(data, batch_size=128, shuffle=True, num_workers=8, drop_last=True)
    encoder = FaceEncoder(dim=512, identities=data.identities).cuda()
    adversary = Adversary(512, data.groups).cuda()
    encoder_opt = torch.optim.AdamW(encoder.parameters(), lr=lr)
    adversary_opt = torch.optim.SGD(adversary.parameters(), lr=0.01, momentum=0.9)
    scaler = GradScaler()
    for epoch in range(epochs):
        encoder.train()
        adversary.train()
        for image, identity, group in loader:
            image, identity, group = image.cuda(), identity.cuda(), group.cuda()
            with autocast():
                z, logits = encoder(image)
                recognition = F.cross_entropy(logits, identity)

            guess = adversary(z.detach().float())
            adversary_loss = F.cross_entropy(guess, group)
            adversary_opt.zero_grad()
            adversary_loss.backward()
            adversary_opt.step()

            adversary.requires_grad_(False)
            confusion = -F.cross_entropy(adversary(z.float()), group)
            adversary.requires_grad_(True)
            encoder_opt.zero_grad()
            scaler.scale(recognition + weight * confusion).backward()
            scaler.unscale_(encoder_opt)
            nn.utils.clip_grad_norm_(encoder.parameters(), 5.0)
            scaler.step(encoder_opt)
            scaler.update()
        print(f"{epoch} id {recognition.item():.3f} adversary {adversary_loss.item():.3f}")
        torch.save(encoder.state_dict(), "encoder.pt")


if __name__ == "__main__":
    main()
