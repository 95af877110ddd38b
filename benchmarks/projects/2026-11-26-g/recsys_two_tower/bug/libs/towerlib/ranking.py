def recall(model, batches, k):
    hits, seen = 0, 0
    for user, item in batches:
        scores = model(user, item)
        best = scores.topk(min(k, len(item)), dim=1).indices
        own = best.new_tensor(range(len(user))).unsqueeze(1)
        hits += (best == own).any(1).sum().item()
        seen += len(user)
    return hits / seen
