"""Truncated backpropagation through time, with the losses of a chunk kept until it is full."""
import torch
from torch import nn


class Stepper:
    def __init__(self, cell, head, opt, chunk, record):
        self.cell, self.head, self.opt = cell, head, opt
        self.chunk, self.record = chunk, record
        self.pending = []
        self.seen = 0.0

    def observe(self, x, y, state):
        state = self.cell(x, state)
        loss = nn.functional.mse_loss(self.head(state), y)
        self.pending.append(loss)
        self.seen += loss.item()
        return state

    def flush(self, state):
        if not self.pending:
            return state
        self.opt.zero_grad()
        torch.stack(self.pending).mean().backward()
        params = [*self.cell.parameters(), *self.head.parameters()]
        nn.utils.clip_grad_norm_(params, 1.0)
        self.opt.step()
        self.record(params)
        self.pending.clear()
        return state.detach()

    def play(self, sequence):
        state = torch.zeros(sequence.size(1), self.cell.hidden_size)
        for t in range(len(sequence) - 1):
            state = self.observe(sequence[t], sequence[t + 1], state)
            if len(self.pending) == self.chunk:
                state = self.flush(state)
        self.flush(state)


def train(record):
    torch.manual_seed(30)
    cell, head = nn.GRUCell(1, 10), nn.Linear(10, 1)
    opt = torch.optim.Adam([*cell.parameters(), *head.parameters()], lr=1e-2)
    stepper = Stepper(cell, head, opt, 6, record)
    t = torch.arange(40.0)[:, None, None]
    for epoch in range(3):
        phase = torch.rand(1, 5, 1) * 6.28
        stepper.play(torch.sin(0.4 * t + phase))
        print(epoch, stepper.seen)
        stepper.seen = 0.0


if __name__ == "__main__":
    train(lambda parameters: None)
