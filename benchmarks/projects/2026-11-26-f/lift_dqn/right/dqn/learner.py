from torch.optim import Adam


class Learner:
    """A network with its optimizer, and two hooks for those who inherit from it."""

    def __init__(self, net, lr):
        self.net = net
        self.optimizer = Adam(net.parameters(), lr=lr)

    def on_start(self):
        pass

    def on_gradients(self):
        pass

    def minimise(self, loss):
        self.optimizer.zero_grad()
        self.on_start()
        loss.backward()
        self.on_gradients()
        self.optimizer.step()
        return loss.item()


def descend(loss, optimizer):
    loss.backward()
    optimizer.step()
    return loss.item()
