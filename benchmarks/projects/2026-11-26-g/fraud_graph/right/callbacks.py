from modes import resting


class Callback:
    def start(self, fitting, epoch):
        pass

    def end(self, fitting, epoch, graph):
        pass


class Clear(Callback):
    def start(self, fitting, epoch):
        fitting.optimizer.zero_grad()


class Score(Callback):
    def __init__(self, every):
        self.every = every

    def end(self, fitting, epoch, graph):
        if (epoch + 1) % self.every:
            return
        with resting(fitting.net) as net:
            guess = net(graph.x, graph.links).argmax(1)
        right = (guess == graph.y)[~graph.known].float().mean().item()
        print(f"epoch {epoch} loss {fitting.loss:.4f} accuracy {right:.3f}")


class History(Callback):
    def __init__(self):
        self.losses = []

    def end(self, fitting, epoch, graph):
        self.losses.append(fitting.loss)


CALLBACKS = {"clear": Clear, "score": Score, "history": History}
