from config import *


def predict(model, loader):
    model.eval()
    preds, truth = [], []
    for x, y in loader:
        logits = model(x)
        preds.append(logits.argmax(1))
        truth.append(y)
    return torch.cat(preds), torch.cat(truth)
