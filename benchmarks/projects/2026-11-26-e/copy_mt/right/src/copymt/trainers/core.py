from torch.nn.utils import clip_grad_norm_


class CoreTrainer:
    def __init__(self, model, optimizer, prepare):
        self.model, self.optimizer, self.prepare = model, optimizer, prepare

    def compute_loss(self, source, target):
        raise NotImplementedError

    def backward(self, loss):
        loss.backward()

    def finish_gradients(self):
        pass

    def apply(self):
        self.optimizer.step()

    def train_batch(self, batch):
        source, target = self.prepare(self, batch)
        loss = self.compute_loss(source, target)
        self.backward(loss)
        self.finish_gradients()
        self.apply()
        return loss.item()

    def train_epoch(self, loader):
        self.model.train()
        return sum(self.train_batch(b) for b in loader) / len(loader)


class ClippingTrainer(CoreTrainer):
    max_norm = 1.0

    def finish_gradients(self):
        super().finish_gradients()
        clip_grad_norm_(self.model.parameters(), self.max_norm)
