import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader

IGNORED, WINDOW = -100, 3


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(25, 10)
        self.out = nn.Linear(10, 5)

    def forward(self, ids, tags, items):
        logits = self.out(torch.tanh(self.embed(ids)))
        flat = nn.functional.cross_entropy(
            logits.view(-1, 5), tags.view(-1), ignore_index=IGNORED, reduction="sum"
        )
        return flat / items


def sentences(n):
    ids, tags = torch.randint(0, 25, (n, 6)), torch.randint(0, 5, (n, 6))
    tags[torch.rand(n, 6) < 0.4] = IGNORED
    return list(zip(ids, tags))


def train(record):
    torch.manual_seed(119)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=WINDOW)
    model, loader = Tagger(), DataLoader(sentences(36), batch_size=4, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(2):
        batches = iter(loader)
        for _ in range(len(loader) // WINDOW):
            taken = [next(batches) for _ in range(WINDOW)]
            items = sum(int(tags.ne(IGNORED).sum()) for _, tags in taken)
            for ids, tags in taken:
                loss = model(ids, tags, items) * WINDOW
                accelerator.backward(loss)
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            record(list(model.parameters()))
            optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
