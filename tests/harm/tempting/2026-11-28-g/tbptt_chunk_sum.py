import torch
from torch import nn


class Controller(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.cell = nn.LSTMCell(inputs, width)
        self.read = nn.Linear(width, 1)

    def forward(self, x, state):
        h, c = self.cell(x, state)
        return self.read(h).squeeze(1), (h, c)


def detach(state):
    return tuple(part.detach() for part in state)


def run_sequence(net, opt, sequence, target, chunk, record):
    state = (torch.zeros(sequence.shape[1], 10), torch.zeros(sequence.shape[1], 10))
    chunk_loss, curve = 0.0, []
    for t in range(len(sequence)):
        guess, state = net(sequence[t], state)
        chunk_loss = chunk_loss + (guess - target[t]).pow(2).mean()
        if (t + 1) % chunk and t + 1 < len(sequence):
            continue
        opt.zero_grad()
        (chunk_loss / chunk).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        record(list(net.parameters()))
        curve.append(chunk_loss.item())
        chunk_loss = 0.0
        state = detach(state)
    return curve


def train(record):
    torch.manual_seed(14)
    net = Controller(2, 10)
    opt = torch.optim.Adam(net.parameters(), lr=0.01)
    for epoch in range(2):
        sequence = torch.randn(11, 6, 2)
        target = sequence.cumsum(0).sum(-1).tanh()
        curve = run_sequence(net, opt, sequence, target, 4, record)
        print(epoch, curve[-1])


if __name__ == "__main__":
    train(lambda parameters: None)
