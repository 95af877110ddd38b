import torch
from torch import nn

torch.manual_seed(39)
N = 3
captioner = nn.ModuleDict({"img": nn.Linear(10, 16), "txt": nn.Embedding(20, 16), "out": nn.Linear(16, 20)})
opt = torch.optim.Adam(captioner.parameters(), lr=1e-3)
batches = [(torch.randn(4, 10), torch.randint(0, 20, (4, 7))) for _ in range(12)]


def caption_loss(img, words):
    ctx = captioner["img"](img).unsqueeze(1)
    hidden = torch.tanh(ctx + captioner["txt"](words[:, :-1]))
    return nn.functional.cross_entropy(captioner["out"](hidden).flatten(0, 1), words[:, 1:].flatten())


def backward_and_limit(loss, params, limit):
    loss.backward()
    return torch.nn.utils.clip_grad_norm_(params, limit, norm_type=2.0)


for epoch in range(2):
    for k, (img, words) in enumerate(batches):
        window_pos = k % N
        if window_pos == 0:
            opt.zero_grad()
        loss = caption_loss(img, words)
        norm = backward_and_limit(loss / N, captioner.parameters(), 0.3)
        if window_pos == N - 1:
            opt.step()
    print(f"epoch {epoch} loss {loss.item():.3f} norm {norm.item():.3f}")
