class Callback:
    def on_epoch_end(self, engine):
        pass


class DecayRate(Callback):
    def __init__(self, every):
        self.every = every

    def on_epoch_end(self, engine):
        if engine.epoch % self.every == 0:
            engine.plan.step


class Accuracy(Callback):
    def __init__(self):
        self.best = 0.0

    def on_epoch_end(self, engine):
        g = engine.graph
        engine.model.eval()
        pred = engine.model(g.x, g.adj).argmax(1)
        acc = (pred[g.held] == g.y[g.held]).float().mean().item()
        self.best = max(self.best, acc)
        engine.logs.update(acc=acc, best=self.best)


class Printer(Callback):
    def __init__(self, every):
        self.every = every

    def on_epoch_end(self, engine):
        if engine.epoch % self.every == 0:
            print(engine.epoch, " ".join(f"{k}={v:.4g}" for k, v in engine.logs.items()))
