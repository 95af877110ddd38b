__all__ = ["share_of_window", "window_done", "apply_update"]


def share_of_window(loss, window):
    return loss / window


def window_done(index, window, batches):
    return (index + 1) % window == 0 or index + 1 == batches


def apply_update(optimizer):
    optimizer.step()
    optimizer.zero_grad()
