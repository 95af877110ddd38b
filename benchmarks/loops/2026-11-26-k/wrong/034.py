import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset


class TextCNN(nn.Module):
    def __init__(self, vocab=80, dim=16, classes=3):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.conv = nn.Conv1d(dim, 24, 3, padding=1)
        self.fc = nn.Linear(24, classes)

    def forward(self, tok):
        h = torch.relu(self.conv(self.emb(tok).transpose(1, 2)))
        return self.fc(h.amax(dim=2))


def train_epoch(model, loader, optimizer, grad_accum_steps, max_grad_norm):
    model.train()
    optimizer.zero_grad()
    total = 0.0
    for step, (tok, lab) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(tok), lab)
        loss = loss / grad_accum_steps
        loss.backward()
        clip_grad_norm_(model.parameters(), max_grad_norm)
        total += loss.item() * grad_accum_steps
        if (step + 1) % grad_accum_steps == 0 or (step + 1) == len(loader):
            optimizer.step()
            optimizer.zero_grad()
    return total / len(loader)


if __name__ == "__main__":
    torch.manual_seed(25)
    tok = torch.randint(1, 80, (140, 12))
    lab = (tok.float().mean(1) // 14).long().clamp(0, 5) % 3
    model = TextCNN()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    dl = DataLoader(TensorDataset(tok, lab), batch_size=10, shuffle=True)
    for e in range(3):
        print(e, train_epoch(model, dl, opt, grad_accum_steps=4, max_grad_norm=0.1))
