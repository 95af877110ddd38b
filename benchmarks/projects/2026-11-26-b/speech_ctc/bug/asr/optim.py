import torch


def clip_gradients(model, max_norm):
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    return float(norm)


class Window:
    """Tells where a group of micro-batches ends."""

    def __init__(self, size, total):
        self.size = size
        self.total = total

    def closes(self, index):
        return (index + 1) % self.size == 0
