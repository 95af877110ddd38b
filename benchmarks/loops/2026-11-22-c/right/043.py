import torch
import torch.nn.functional as F


def importance(model, loader):
    """Mean absolute gradient of the score with respect to each feature."""
    model.eval()
    model.requires_grad_(False)
    total, rows = 0.0, 0
    for features, _ in loader:
        features = features.clone().requires_grad_(True)
        (g,) = torch.autograd.grad(model(features).sum(), features)
        total = total + g.abs().sum(0)
        rows += len(features)
    model.requires_grad_(True)
    return total / rows


def train_ranker(model, train_loader, val_loader, epochs=30, lr=2e-3):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr, weight_decay=1e-5)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)
    for epoch in range(epochs):
        model.train()
        epoch_loss = 0.0
        for features, relevance in train_loader:
            scores = model(features).squeeze(-1)
            loss = F.kl_div(scores.log_softmax(0), relevance.softmax(0), reduction="sum")
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item()
        plateau.step(epoch_loss / len(train_loader))
        if epoch % 5 == 0:
            top = importance(model, val_loader).topk(3).indices.tolist()
            print(f"epoch {epoch} loss {epoch_loss:.4f} strongest features {top}")
    return model
