import torch


class Callback:
    def before_update(self, engine):
        pass

    def after_update(self, engine, done):
        pass


class ClipGradients(Callback):
    def __init__(self, limit):
        self.limit = limit

    def after_update(self, engine, done):
        torch.nn.utils.clip_grad_norm_(engine.model.parameters(), self.limit)


class PeriodicCheck(Callback):
    """Looks at held-out bricks every few updates."""

    def __init__(self, held, every):
        self.held, self.every = held, every

    def after_update(self, engine, done):
        if done % self.every:
            return
        engine.model.eval()
        right = count = 0
        with torch.no_grad():
            for x, y in self.held:
                right += (engine.model(x).argmax(1) == y).sum().item()
                count += len(y)
        engine.notes.append(round(right / count, 3))


class Log(Callback):
    def __init__(self, every):
        self.every = every

    def after_update(self, engine, done):
        if done % self.every == 0:
            print(f"update {done}: {engine.last_loss:.4f}")
