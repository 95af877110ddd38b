import torch
from torch.nn.utils import clip_grad_norm_


class DelayedUpdater:
    """Lets the copy to the host run while the next batch is fetched."""

    def __init__(self, model, optimizer, scheduler, max_norm):
        self.model, self.optimizer, self.scheduler = model, optimizer, scheduler
        self.max_norm = max_norm
        self.waiting = False

    def flush(self):
        if not self.waiting:
            return
        clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.optimizer.step()
        self.scheduler.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.waiting = False


def train(model, args):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs * len(args.loader))
    updater = DelayedUpdater(model, optimizer, scheduler, args.clip)
    for epoch in range(args.epochs):
        model.train()
        for x, y in args.loader:
            updater.flush()
            loss = torch.nn.functional.cross_entropy(model(x.to(args.device)), y.to(args.device))
            loss.backward()
            updater.waiting = True
        updater.flush()
        print(epoch, loss.item())
        torch.save(model.state_dict(), args.path)
