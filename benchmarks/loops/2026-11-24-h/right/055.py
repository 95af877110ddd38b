"""Truncated back-propagation through time on a long character stream."""
import torch
import torch.nn as nn


class Cell(nn.Module):
    def __init__(self, v, h):
        super().__init__()
        self.v, self.h = v, h
        self.cell = nn.GRUCell(v, h)
        self.read = nn.Linear(h, v)

    def forward(self, tok, state):
        state = self.cell(nn.functional.one_hot(tok, self.v).float(), state)
        return self.read(state), state


def streams(text, lanes):
    chars = sorted(set(text))
    t = torch.tensor([chars.index(c) for c in text])
    n = len(t) // lanes
    return t[: n * lanes].view(lanes, n).T, len(chars)


def main(span=16, lanes=8, epochs=2):
    torch.manual_seed(0)
    tape, v = streams("she sells sea shells by the sea shore " * 40, lanes)
    tape = tape[: (len(tape) - 1) // span * span + 1]
    net = Cell(v, 40)
    opt = torch.optim.RMSprop(net.parameters(), lr=5e-3)
    curve, so_far = [], 0.0
    for epoch in range(epochs):
        state = torch.zeros(lanes, net.h)
        chunk_loss, steps = 0, 0
        for now, nxt in zip(tape[:-1], tape[1:]):
            logits, state = net(now, state)
            chunk_loss = chunk_loss + nn.functional.cross_entropy(logits, nxt)
            steps += 1
            if steps % span == 0:
                opt.zero_grad()
                mean = chunk_loss / span
                mean.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                opt.step()
                curve.append(mean.detach())
                so_far += mean.detach()
                state, chunk_loss = state.detach(), 0
        print(f"epoch {epoch}: last {curve[-1].item():.3f}, mean {so_far.item() / len(curve):.3f}")


if __name__ == "__main__":
    main()
