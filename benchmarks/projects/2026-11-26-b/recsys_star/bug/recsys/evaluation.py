__all__ = ["hit_rate"]


def hit_rate(model, batches, k):
    model.eval()
    hits = count = 0
    for users, targets in batches:
        ranked = model(users).topk(k, dim=1).indices
        hits += (ranked == targets.unsqueeze(1)).any(1).sum().item()
        count += len(users)
    return hits / count
