def backward(loss, scaler=None, keep=False):
    """The one backward of all apps."""
    if scaler is not None:
        loss = scaler.scale(loss)
    loss.backward(retain_graph=keep)
