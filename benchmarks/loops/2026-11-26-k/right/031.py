import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tagger(nn.Module):
    def __init__(self, bands=16, tags=5):
        super().__init__()
        self.norm = nn.BatchNorm1d(bands)
        self.fc = nn.Linear(bands, tags)

    def forward(self, x):
        return self.fc(torch.relu(self.norm(x)))


def main(window=3):
    torch.manual_seed(131)
    mel = torch.randn(130, 16)
    tags = (mel[:, :5] > 0.3).float()
    loader = DataLoader(TensorDataset(mel, tags), batch_size=13)
    model = Tagger()
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(3):
        model.train()
        for i, (x, t) in enumerate(loader):
            if i % window == 0:
                opt.zero_grad()
            loss = nn.functional.multilabel_soft_margin_loss(model(x), t)
            (loss / window).backward()
            if (i + 1) % window == 0 or i + 1 == len(loader):
                opt.step()
        print(epoch, loss.item())


main()
