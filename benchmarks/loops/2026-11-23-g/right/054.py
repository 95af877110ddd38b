import torch
import torch.nn.functional as F
from torch import nn


class Synth(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.cell = nn.LSTMCell(1, hidden)
        self.read = nn.Linear(hidden, 1)
        self.hidden = hidden

    def begin(self, n):
        return torch.zeros(n, self.hidden), torch.zeros(n, self.hidden)

    def forward(self, x, state):
        state = self.cell(x, state)
        return self.read(state[0]), state


def detach(state):
    return tuple(s.detach() for s in state)


class TBPTT:
    def __init__(self, model, chunk, lr):
        self.model, self.chunk = model, chunk
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def sequence(self, wave):
        state = self.model.begin(wave.size(1))
        loss, total, inside = 0.0, 0.0, 0
        for x, target in zip(wave[:-1], wave[1:]):
            pred, state = self.model(x, state)
            loss = loss + F.mse_loss(pred, target)
            inside += 1
            if inside == self.chunk:
                total += self.close(loss, inside)
                state, loss, inside = detach(state), 0.0, 0
        if inside:
            total += self.close(loss, inside)
        return total / (len(wave) - 1)

    def close(self, loss, length):
        self.optimizer.zero_grad()
        (loss / length).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()


torch.manual_seed(0)
trainer = TBPTT(Synth(), chunk=8, lr=1e-2)
for song in range(6):
    phase = torch.rand(4, 1) * 6.28
    ticks = torch.arange(45.0).view(-1, 1, 1) * 0.3
    print(song, trainer.sequence(torch.sin(ticks + phase)))
