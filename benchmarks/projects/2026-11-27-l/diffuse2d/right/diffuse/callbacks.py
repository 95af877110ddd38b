import torch


class Callback:
    def on_epoch_end(self, trainer, epoch, loss): ...


class Log(Callback):
    def on_epoch_end(self, trainer, epoch, loss):
        print(f"epoch={epoch} loss={loss:.4f}")


class Samples(Callback):
    def __init__(self, every, count):
        self.every, self.count = every, count

    def on_epoch_end(self, trainer, epoch, loss):
        if epoch % self.every:
            return
        trainer.net.eval()
        with torch.no_grad():
            points = trainer.noise.denoise(trainer.net, self.count)
        print("  radius", round(points.norm(dim=1).mean().item(), 3))
