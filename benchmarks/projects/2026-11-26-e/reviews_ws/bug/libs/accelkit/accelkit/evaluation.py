def accuracy(accelerator, model, loader):
    model.eval()
    right = total = 0
    for ids, y in loader:
        guess, y = accelerator.gather_for_metrics((model(ids).argmax(-1), y))
        right += (guess == y).sum().item()
        total += len(y)
    return right / total
