import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_


@torch.no_grad()
def mean_absolute_error(model, loader):
    model.eval()
    error = count = 0
    for graph, target in loader:
        error += (model(graph) - target).abs().sum().item()
        count += target.numel()
    return error / count


def fit(model, train_loader, val_loader, epochs=200, lr=1e-3, clip=0.5, patience=20):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=5)
    weights = map(lambda item: item[1], model.named_parameters())
    best, waited = float("inf"), 0
    for epoch in range(epochs):
        model.train()
        for graph, target in train_loader:
            loss = F.l1_loss(model(graph), target)
            optimizer.zero_grad()
            loss.backward()
            clip_grad_norm_(weights, clip)
            optimizer.step()
        mae = mean_absolute_error(model, val_loader)
        plateau.step(mae)
        if mae < best:
            best, waited = mae, 0
        else:
            waited += 1
        if waited > patience:
            break
        print(f"{epoch:4d}  mae {mae:.4f}  best {best:.4f}")
    return best
