import torch
import torch.nn as nn
from torch.cuda.amp import GradScaler

cuda = torch.cuda.is_available()
device = torch.device("cuda" if cuda else "cpu")


class Captioner(nn.Module):
    def __init__(self, feat=20, vocab=30, dim=16):
        super().__init__()
        self.img = nn.Linear(feat, dim)
        self.word = nn.Embedding(vocab, dim)
        self.cell = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def forward(self, feats, caps):
        h0 = self.img(feats).unsqueeze(0)
        o, _ = self.cell(self.word(caps), h0)
        return self.out(o)


def data(n, bs=6):
    for _ in range(n):
        yield torch.randn(bs, 20, device=device), torch.randint(0, 30, (bs, 9), device=device)


def main():
    torch.manual_seed(0)
    model = Captioner().to(device)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    scaler = GradScaler(enabled=cuda)
    ce = nn.CrossEntropyLoss()
    iters_to_accumulate = 4

    for epoch in range(2):
        for i, (feats, caps) in enumerate(data(24)):
            with torch.autocast(device.type, dtype=torch.float16, enabled=cuda):
                logits = model(feats, caps[:, :-1])
                loss = ce(logits.flatten(0, 1), caps[:, 1:].flatten()) / iters_to_accumulate
            scaler.scale(loss).backward()
            scaler.unscale_(opt)

            if (i + 1) % iters_to_accumulate == 0:
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                scaler.step(opt)
                scaler.update()
                opt.zero_grad(set_to_none=True)
        print("epoch", epoch, "loss", loss.item() * iters_to_accumulate)


if __name__ == "__main__":
    main()
