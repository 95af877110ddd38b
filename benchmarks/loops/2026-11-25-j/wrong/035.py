import torch
from torch import nn

torch.manual_seed(35)
VOCAB, LEN = 12, 6


class Reverser(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 16)
        self.lstm = nn.LSTM(16, 24, batch_first=True, bidirectional=True)
        self.out = nn.Linear(48, VOCAB)

    def forward(self, s):
        return self.out(self.lstm(self.emb(s))[0])


model = Reverser()
opt = torch.optim.RAdam(model.parameters(), lr=5e-3)
dev_sets = [torch.randint(0, VOCAB, (16, LEN)) for _ in range(3)]
step = 0
while step < 24:
    model.train()
    src = torch.randint(0, VOCAB, (16, LEN))
    loss = nn.functional.cross_entropy(model(src).transpose(1, 2), src.flip(1))
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    step += 1
    if step % 8 == 0:
        model.eval()
        right = total = 0
        for dev in dev_sets:
            guess = model(dev).argmax(-1)
            right += int((guess == dev.flip(1)).sum())
            total += dev.numel()
        print(f"step {step} loss {loss.item():.3f} token acc {right / total:.2f}")
