import torch
from torch import nn

torch.manual_seed(158)
K, T_TOTAL = 8, 48
lstm, out = nn.LSTMCell(2, 20), nn.Linear(20, 1)
opt = torch.optim.Adam([*lstm.parameters(), *out.parameters()], lr=4e-3)
bits = torch.randint(0, 2, (12, T_TOTAL, 2)).float()
target = (bits.sum(2).cumsum(1) % 2).unsqueeze(2)

for epoch in range(2):
    h, c = torch.zeros(12, 20), torch.zeros(12, 20)
    chunk_loss, shown = 0.0, 0.0
    for t in range(T_TOTAL):
        h, c = lstm(bits[:, t], (h, c))
        chunk_loss = chunk_loss + nn.functional.binary_cross_entropy_with_logits(out(h), target[:, t])
        if (t + 1) % K == 0:
            opt.zero_grad()
            (chunk_loss / K).backward()
            opt.step()
            shown += float(chunk_loss.detach())
            h, c, chunk_loss = h.detach(), c.detach(), 0.0
    print(f"epoch {epoch} bce {shown / T_TOTAL:.4f}")
