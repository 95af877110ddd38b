from inference import predict


def accuracy(model, loader):
    model.eval()
    right, total, sure = 0, 0, 0.0
    for x, y in loader:
        guess, confidence = predict(model, x)
        right += (guess == y).sum().item()
        sure += confidence.sum().item()
        total += y.numel()
    return right / total, sure / total
