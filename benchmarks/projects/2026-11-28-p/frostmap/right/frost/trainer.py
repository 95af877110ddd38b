from torch.nn.functional import mse_loss


class Trainer:
    def __init__(self, net, strategy):
        self.net, self.strategy = net, strategy

    def fit(self, batches, epochs):
        for _ in range(epochs):
            self.net.train()
            for i, (air, low) in enumerate(batches):
                self.strategy.begin(i)
                with self.strategy.cast():
                    loss = mse_loss(self.net(air).float(), low)
                self.strategy.backward(loss)
                if self.strategy.ready(i, len(batches)):
                    self.strategy.step()
            self.strategy.end_epoch()
        return round(loss.item(), 4)
