from torch.nn.functional import binary_cross_entropy_with_logits, smooth_l1_loss


class MultiTask:
    losses = {"rain": binary_cross_entropy_with_logits, "wind": smooth_l1_loss}

    def __init__(self, weights, parts):
        self.weights, self.parts = weights, parts
        self.last = {}

    def __call__(self, outputs, truth):
        total = 0.0
        for name, weight in self.weights.items():
            term = type(self).losses[name](outputs[name], truth[name])
            self.last[name] = term.item()
            total = total + weight * term
        return total / self.parts

    def summary(self):
        return " ".join(f"{name} {value:.4f}" for name, value in self.last.items())
