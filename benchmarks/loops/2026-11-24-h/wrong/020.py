import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

use_amp = True
dev = "cuda" if torch.cuda.is_available() else "cpu"
amp_dtype = torch.float16


class SpeakerNet(nn.Module):
    def __init__(self, feat=20, emb=16, n_spk=6):
        super().__init__()
        self.tdnn = nn.Conv1d(feat, 24, 3, dilation=2)
        self.emb = nn.Linear(48, emb)
        self.cls = nn.Linear(emb, n_spk)

    def forward(self, x):
        h = torch.relu(self.tdnn(x))
        stats = torch.cat([h.mean(-1), h.float().std(-1)], 1)
        return self.cls(torch.relu(self.emb(stats)))


def main():
    torch.manual_seed(0)
    ds = TensorDataset(torch.randn(96, 20, 30), torch.randint(0, 6, (96,)))
    loader = DataLoader(ds, batch_size=16, shuffle=True, drop_last=True)
    net = SpeakerNet().to(dev)
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    scaler = torch.amp.GradScaler(dev, enabled=use_amp)
    ce = nn.CrossEntropyLoss()

    for epoch in range(2):
        net.train()
        tot = 0.0
        for feats, spk in loader:
            feats, spk = feats.to(dev), spk.to(dev)
            opt.zero_grad(set_to_none=True)
            with torch.autocast(device_type=dev, dtype=amp_dtype, enabled=use_amp):
                logits = net(feats)
                loss = ce(logits, spk)
                scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
            tot += loss.item()
        print(f"epoch {epoch}: {tot / len(loader):.4f} (scale {scaler.get_scale():.0f})")


if __name__ == "__main__":
    main()
