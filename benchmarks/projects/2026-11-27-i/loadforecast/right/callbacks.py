import torch


class Callback:
    def on_batch_end(self, runner):
        pass

    def on_update(self, runner):
        pass

    def on_epoch_end(self, runner):
        pass


class ClipGradients(Callback):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def on_update(self, runner):
        torch.nn.utils.clip_grad_norm_(runner.model.parameters(), self.max_norm)


class Report(Callback):
    def __init__(self):
        self.losses = []

    def on_batch_end(self, runner):
        self.losses.append(runner.last_loss)

    def on_epoch_end(self, runner):
        rate = runner.optimizer.param_groups[0]["lr"]
        print(f"mae {sum(self.losses) / len(self.losses):.4f} lr {rate:.4f}")
        self.losses.clear()
