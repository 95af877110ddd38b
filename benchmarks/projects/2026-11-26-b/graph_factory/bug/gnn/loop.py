from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_


def run_epoch(model, weights, loader, optimizer, scheduler, cfg):
    model.train()
    accumulate, total = cfg["accumulate"], 0.0
    optimizer.zero_grad()
    for step, graph in enumerate(loader, start=1):
        update = step % accumulate == 0 or step == len(loader)
        logits = model(graph.x, graph.adjacency, graph.owner, graph.count)
        loss = F.cross_entropy(logits, graph.y)
        (loss / accumulate).backward()
        total += loss.item()
        if update:
            clip_grad_norm_(weights, cfg["max_norm"])
            optimizer.step()
            optimizer.zero_grad()
        scheduler.step()
    return total / len(loader)
