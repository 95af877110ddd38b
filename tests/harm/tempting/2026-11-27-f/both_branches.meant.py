import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR


class CharModel(nn.Module):
    def __init__(self, vocabulary, width=16):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.rnn = nn.RNN(width, width, batch_first=True)
        self.out = nn.Linear(width, vocabulary)

    def forward(self, ids):
        return self.out(self.rnn(self.embed(ids))[0])


TEXT = "a slow brown fox is still a fox and a fox is never a dog " * 12


def train(record):
    torch.manual_seed(655)
    letters = sorted(set(TEXT))
    ids = torch.tensor([letters.index(c) for c in TEXT])
    lines = ids[: len(ids) // 16 * 16].view(-1, 16)
    model = CharModel(len(letters))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
    accum, epochs = 3, 2
    batches = [b for b in lines.split(2)][:18]
    schedule = CosineAnnealingLR(optimizer, T_max=epochs * len(batches) // accum)
    optimizer.zero_grad()
    for epoch in range(epochs):
        bits = 0.0
        for i, batch in enumerate(batches, 1):
            out = model(batch[:, :-1])
            loss = nn.functional.cross_entropy(out.flatten(0, 1), batch[:, 1:].flatten())
            (loss / accum).backward()
            bits += loss.item() / 0.6931
            if i % accum != 0:
                continue
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            record(list(model.parameters()))
        print(epoch, bits / len(batches), schedule.get_last_lr())


if __name__ == "__main__":
    train(lambda parameters: None)
