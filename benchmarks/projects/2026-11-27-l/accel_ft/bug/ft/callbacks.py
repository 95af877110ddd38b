class Callback:
    def after_backward(self, accelerator, model): ...

    def after_epoch(self, epoch, loss): ...


class GradClip(Callback):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def after_backward(self, accelerator, model):
        accelerator.clip_grad_norm_(model.parameters(), self.max_norm)


class Printer(Callback):
    def after_epoch(self, epoch, loss):
        print(f"epoch {epoch} train {loss:.4f}")
