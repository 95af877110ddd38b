import torch
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import CyclicLR
from torch.utils.data import DataLoader

from text.vocab import Vocab
from text.data import AGNews, pad_batch


class TextCNN(nn.Module):
    def __init__(self, vocab, dim=300, kernels=(3, 4, 5), channels=100, classes=4):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=0)
        self.convs = nn.ModuleList(nn.Conv1d(dim, channels, k) for k in kernels)
        self.drop = nn.Dropout(0.5)
        self.out = nn.Linear(channels * len(kernels), classes)

    def forward(self, tokens):
        x = self.embed(tokens).transpose(1, 2)
        pooled = [conv(x).relu().amax(-1) for conv in self.convs]
        return self.out(self.drop(torch.cat(pooled, -1)))


def main():
    vocab = Vocab.load("vocab.json")
    loader = DataLoader(AGNews("train.csv", vocab), batch_size=64, shuffle=True, collate_fn=pad_batch)
    model = TextCNN(len(vocab))
    optimizer = SGD(model.parameters(), lr=0.01, momentum=0.9)
    scheduler = CyclicLR(optimizer, base_lr=0.001, max_lr=0.1, step_size_up=2000)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(10):
        model.train()
        correct = seen = 0
        for tokens, labels in loader:
            optimizer.zero_grad
            logits = model(tokens)
            loss = criterion(logits, labels)
            loss.backward()
            scheduler.step()
            optimizer.step()
            optimizer.zero_grad()
            correct += (logits.argmax(1) == labels).sum().item()
            seen += labels.numel()
        print(f"epoch {epoch}: train acc {correct / seen:.4f}")


if __name__ == "__main__":
    main()
