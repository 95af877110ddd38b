def weave(loom, optimizer, plan, batches):
    loom.model.train()
    total = 0.0
    for index, (row, target) in enumerate(batches):
        closing = plan.closes(index)
        loss = loom.error(row, target)
        with loom.quiet(closing):
            (plan.weight * loss).backward()
        total += loss.item()
        if closing:
            optimizer.step()
            optimizer.zero_grad()
    return total / len(batches)
