import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader

from scene.data import NYUv2
from scene.model import MTAN


def main(root="nyuv2", epochs=200, lr=1e-4):
    device = "cuda"
    loader = DataLoader(NYUv2(root, train=True, augment=True), batch_size=2, shuffle=True)
    model = MTAN(tasks=("segment", "depth", "normal")).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=100, gamma=0.5)
    weights = {"segment": 1.0, "depth": 1.0, "normal": 1.0}
    for epoch in range(epochs):
        model.train()
        meter = {name: 0.0 for name in weights}
        for image, segment, depth, normal in loader:
            image = image.to(device)
            segment, depth, normal = segment.to(device), depth.to(device), normal.to(device)
            out = model(image)
            losses = {
                "segment": F.cross_entropy(out["segment"], segment, ignore_index=-1),
                "depth": (out["depth"] - depth).abs()[depth > 0].mean(),
                "normal": 1 - F.cosine_similarity(out["normal"], normal, dim=1).mean(),
            }
            optimizer.zero_grad()
            names = list(losses)
            for name in names:
                (weights[name] * losses[name]).backward(retain_graph=name != names[-1])
                meter[name] += losses[name].item()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        scheduler.step()
        print(epoch, {k: round(v / len(loader), 4) for k, v in meter.items()})
    torch.save(model.state_dict(), "mtan.pt")


if __name__ == "__main__":
    main()
