def accuracy(model, x, a, y, mask):
    """Fraction of right answers among the nodes of the mask."""
    model.eval()
    guess = model(x, a).argmax(dim=1)
    return (guess[mask] == y[mask]).float().mean().item()
