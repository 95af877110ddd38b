import torch

N_MICRO = 8


class Refill:
    def __init__(self, loader):
        self.loader = loader
        self.it = iter(loader)

    def get(self):
        try:
            return next(self.it)
        except StopIteration:
            self.it = iter(self.loader)
            return next(self.it)


def pretrain(model, loader, optimizer, scheduler, num_updates, log):
    source = Refill(loader)
    model.train()
    for update in range(num_updates):
        optimizer.zero_grad()
        window_loss = 0.0
        for _ in range(N_MICRO):
            batch = source.get()
            loss = model(batch["input_ids"], labels=batch["labels"])[0]
            loss.backward()
            window_loss += loss.detach().float()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        if update % 10 == 0:
            log({"loss": (window_loss / N_MICRO).item(), "lr": scheduler.get_last_lr()[0]})
