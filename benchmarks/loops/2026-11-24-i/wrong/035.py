import torch
from torch import nn

torch.manual_seed(109)
cell = nn.LSTMCell(4, 12)
read = nn.Linear(12, 4)
opt = torch.optim.RMSprop([*cell.parameters(), *read.parameters()], lr=1e-3)
grad_accum_steps = 2
song = torch.randn(80, 3, 4)
state = None
opt.zero_grad()
for k in range(0, 80, 5):
    piece = song[k : k + 5]
    guess, errors = None, 0.0
    for note in piece:
        if guess is not None:
            errors = errors + nn.functional.mse_loss(guess, note)
        state = cell(note, state)
        guess = read(state[0])
    (errors / 4).backward()
    state = tuple(s.detach() for s in state)
    if (k // 5 + 1) % grad_accum_steps == 0:
        opt.step()
        opt.zero_grad()
print(errors.item())
