from torch.nn import functional as F


class Loop:
    def __init__(self, net, optimizer, callbacks):
        self.net, self.optimizer, self.callbacks = net, optimizer, callbacks

    def fire(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def fit(self, batches, epochs):
        for _ in range(epochs):
            self.net.train()
            for film, dose in batches:
                self.optimizer.zero_grad()
                loss = F.mse_loss(self.net(film), dose)
                loss.backward()
                self.fire("on_gradients")
                self.optimizer.step()
                self.fire("on_update")
            self.fire("on_epoch")
