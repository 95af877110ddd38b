import torch.nn.functional as F


def valid_fn(loader, model, criterion):
    model.eval()
    preds, truth, running = [], [], 0.0
    for images, labels in loader:
        y_preds = model(images)
        running += criterion(y_preds, labels).item() * labels.size(0)
        preds.append(F.softmax(y_preds, dim=1).argmax(1).cpu().numpy())
        truth.append(labels.numpy())
    return running, preds, truth
