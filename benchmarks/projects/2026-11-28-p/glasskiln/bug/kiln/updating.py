from torch.nn.utils import clip_grad_norm_


class UpdateMixin:
    def true_gradients(self):
        self.scaler.unscale_(self.optimizer)

    def update(self):
        self.true_gradients()
        norm = clip_grad_norm_(self.net.parameters(), self.limit)
        self.optimizer.step()
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        return norm.item()
