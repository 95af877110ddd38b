import torch
import torch.nn as nn

torch.manual_seed(0)
T, CHUNK, HID = 60, 10, 20


class Cell(nn.Module):
    def __init__(self, n_in, hid):
        super().__init__()
        self.cell = nn.LSTMCell(n_in, hid)
        self.read = nn.Linear(hid, n_in)

    def forward(self, x, state):
        h, c = self.cell(x, state)
        return self.read(h), (h, c)


def detach(state):
    return tuple(s.detach() for s in state)


signal = torch.sin(torch.linspace(0, 25, T + 1))[None, :, None] * torch.rand(6, 1, 1)
model = Cell(1, HID)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
mse = nn.MSELoss()

for epoch in range(4):
    state = (torch.zeros(6, HID), torch.zeros(6, HID))
    epoch_loss = 0.0
    for t0 in range(0, T, CHUNK):
        state = detach(state)
        chunk_loss = 0
        for t in range(t0, t0 + CHUNK):
            pred, state = model(signal[:, t], state)
            chunk_loss += mse(pred, signal[:, t + 1])
        chunk_loss = chunk_loss / CHUNK

        optimizer.zero_grad()
        chunk_loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        epoch_loss += chunk_loss.item()
    print(f"epoch {epoch} loss {epoch_loss / (T // CHUNK):.5f}")
