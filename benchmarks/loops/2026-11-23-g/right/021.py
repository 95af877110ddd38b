"""Truncated back-propagation through time over long sensor streams; one update for each chunk."""
import torch
import torch.nn as nn


def repackage(state):
    return None if state is None else tuple(s.detach() for s in state)


class Anomaly(nn.Module):
    def __init__(self, n_sensors=4, hidden=12):
        super().__init__()
        self.lstm = nn.LSTM(n_sensors, hidden, batch_first=True)
        self.readout = nn.Linear(hidden, n_sensors)

    def forward(self, x, state):
        h, state = self.lstm(x, state)
        return self.readout(h), state


def sequences(n, length=49):
    for k in range(n):
        phase = torch.rand(3, 1, 4) * 6.28
        yield torch.sin(torch.arange(length).view(1, -1, 1) / 4 + phase) + 0.05 * torch.randn(3, length, 4)


def train(model, n_sequences=4, chunk=12, clip=1.0):
    optimizer = torch.optim.RMSprop(model.parameters(), lr=5e-3)
    for number, series in enumerate(sequences(n_sequences)):
        state, total, chunks = None, 0.0, 0
        for now, nxt in zip(series[:, :-1].split(chunk, 1), series[:, 1:].split(chunk, 1)):
            model.zero_grad()
            guess, state = model(now, repackage(state))
            per_step = [(guess[:, k] - nxt[:, k]).pow(2).mean() for k in range(guess.size(1))]
            loss = sum(per_step) / len(per_step)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimizer.step()
            total, chunks = total + loss.item(), chunks + 1
        print(f"sequence {number}: {total / chunks:.4f}")


if __name__ == "__main__":
    torch.manual_seed(1)
    train(Anomaly())
