import torch


class Callback:
    def on_epoch_begin(self, loop): ...

    def on_batch_end(self, loop): ...

    def on_update(self, loop): ...

    def on_update_end(self, loop): ...

    def on_epoch_end(self, loop): ...


class ClipGradients(Callback):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def on_update(self, loop):
        torch.nn.utils.clip_grad_norm_(loop.model.parameters(), self.max_norm)


class Warmdown(Callback):
    def __init__(self, schedule):
        self.schedule = schedule

    def on_update_end(self, loop):
        self.schedule.step()


class HitRate(Callback):
    def __init__(self, heldout, k=10):
        self.users, self.items = heldout
        self.k = k

    @torch.no_grad()
    def on_epoch_end(self, loop):
        loop.model.eval()
        scores = loop.model.all_scores(self.users)
        top = scores.topk(self.k, dim=1).indices
        hits = (top == self.items[:, None]).any(1).float().mean().item()
        rate = loop.optimizer.param_groups[0]["lr"]
        print(f"epoch {loop.epoch}: bpr {loop.mean_loss:.4f}  hit@{self.k} {hits:.3f}  lr {rate:.4f}")
