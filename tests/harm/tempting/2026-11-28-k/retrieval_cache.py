"""Dense retrieval with a large contrastive batch in small chunks (gradient caching)."""
import torch
import torch.nn.functional as F
from torch import nn


class Tower(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, 32), nn.GELU(), nn.Linear(32, 12))

    def forward(self, x):
        return F.normalize(self.layers(x), dim=-1)


def embed(tower, chunks):
    with torch.no_grad():
        return torch.cat([tower(c) for c in chunks]).requires_grad_()


def push(tower, chunks, cache):
    for chunk, grad in zip(chunks, cache.split(len(chunks[0]))):
        tower(chunk).backward(grad)


def in_batch_loss(queries, passages, temperature=0.1):
    scores = queries @ passages.t() / temperature
    return F.cross_entropy(scores, torch.arange(len(scores)))


def train(record, batch=32, chunk=8):
    torch.manual_seed(11)
    query_tower, passage_tower = Tower(10), Tower(14)
    params = [*query_tower.parameters(), *passage_tower.parameters()]
    optimizer = torch.optim.AdamW(params, lr=2e-3)
    warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: min(1.0, (n + 1) / 4))
    mixer = torch.randn(10, 14)
    for update in range(10):
        q = torch.randn(batch, 10)
        p = q @ mixer + 0.1 * torch.randn(batch, 14)
        q_chunks, p_chunks = q.split(chunk), p.split(chunk)
        # all pairs at once, but only over the embeddings
        zq, zp = embed(query_tower, q_chunks), embed(passage_tower, p_chunks)
        loss = in_batch_loss(zq, zp)
        loss.backward()
        push(query_tower, q_chunks, zq.grad)
        push(passage_tower, p_chunks, zp.grad)
        optimizer.step()
        record(params)
        optimizer.zero_grad(set_to_none=True)
        warmup.step()
        print(update, f"{loss.item():.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
