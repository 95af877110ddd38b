import itertools

import torch
import torch.nn.functional as F


def fit(embedding, tower, loader, cfg):
    opt_sparse = torch.optim.SGD(embedding.parameters(), lr=cfg.sparse_lr)
    opt_dense = torch.optim.Adam(tower.parameters(), lr=cfg.dense_lr)
    everything = [*embedding.parameters(), *tower.parameters()]
    scaler = torch.cuda.amp.GradScaler()

    for epoch in range(cfg.epochs):
        embedding.train()
        tower.train()
        batches = iter(loader)
        while chunk := list(itertools.islice(batches, cfg.accumulate)):
            for ids, clicked in chunk:
                for p in everything:
                    p.grad = None
                with torch.cuda.amp.autocast():
                    score = tower(embedding(ids.cuda())).squeeze(1)
                    loss = F.binary_cross_entropy_with_logits(score, clicked.cuda().float())
                scaler.scale(loss / len(chunk)).backward()
            scaler.step(opt_sparse)
            scaler.step(opt_dense)
            scaler.update()
        print(f"epoch {epoch}, last loss {loss.item():.4f}")
