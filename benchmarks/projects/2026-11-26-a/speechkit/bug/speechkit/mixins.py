from torch.nn.utils import clip_grad_norm_


class GradientClipMixin:
    max_grad_norm = 1.0

    def on_after_backward(self):
        super().on_after_backward()
        self.grad_norm = clip_grad_norm_(self.model.parameters(), self.max_grad_norm)


class BestLossMixin:
    best = float("inf")

    def on_epoch_end(self, epoch, train_loss, valid_loss):
        super().on_epoch_end(epoch, train_loss, valid_loss)
        if valid_loss < self.best:
            self.best = valid_loss
            print(f"  new best: {valid_loss:.4f}")
