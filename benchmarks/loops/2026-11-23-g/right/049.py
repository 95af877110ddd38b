import torch
from torch import nn


class FGM:
    def __init__(self, weight, epsilon=0.5):
        self.weight, self.epsilon, self.backup = weight, epsilon, None

    def attack(self):
        self.backup = self.weight.data.clone()
        norm = self.weight.grad.norm()
        if norm > 0 and torch.isfinite(norm):
            self.weight.data.add_(self.epsilon * self.weight.grad / norm)

    def restore(self):
        self.weight.data.copy_(self.backup)
        self.backup = None


class TextClassifier(nn.Module):
    def __init__(self, vocab=40, d=12, classes=3):
        super().__init__()
        self.embedding = nn.Embedding(vocab, d)
        self.conv = nn.Conv1d(d, 16, 3, padding=1)
        self.fc = nn.Linear(16, classes)

    def forward(self, ids):
        h = torch.relu(self.conv(self.embedding(ids).transpose(1, 2)))
        return self.fc(h.amax(-1))


def main():
    torch.manual_seed(8)
    model = TextClassifier()
    fgm = FGM(model.embedding.weight)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    ids = torch.randint(0, 40, (96, 10))
    labels = ids[:, 0] % 3

    for epoch in range(3):
        model.train()
        for sel in torch.randperm(96).view(-1, 16):
            x, y = ids[sel], labels[sel]
            loss = criterion(model(x), y)
            loss.backward()
            fgm.attack()
            loss_adv = criterion(model(x), y)
            loss_adv.backward()
            fgm.restore()
            optimizer.step()
            model.zero_grad()
        print(epoch, loss.item(), loss_adv.item())


main()
