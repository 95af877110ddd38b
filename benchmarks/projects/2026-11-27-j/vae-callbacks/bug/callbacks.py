class Callback:
    def on_gradients(self, trainer): ...

    def on_step_end(self, trainer): ...

    def on_epoch_end(self, trainer, epoch): ...


class LossScale(Callback):
    """Keeps the loss scale up to date."""

    def on_epoch_end(self, trainer, epoch):
        trainer.scaler.update()


class GradNormMonitor(Callback):
    def __init__(self):
        self.norms = []

    def on_gradients(self, trainer):
        trainer.scaler.unscale_(trainer.optimizer)
        grads = [p.grad for p in trainer.model.parameters() if p.grad is not None]
        self.norms.append(sum(g.pow(2).sum().item() for g in grads) ** 0.5)


class Console(Callback):
    def __init__(self, monitor):
        self.monitor = monitor

    def on_epoch_end(self, trainer, epoch):
        print(f"[{epoch}] loss={trainer.epoch_loss:.3f} |g|={self.monitor.norms[-1]:.2f}")
