import torch
from torch.nn.parallel import DistributedDataParallel


class PretrainLoop:
    def __init__(self, args, model, loader, sampler):
        self.args = args
        self.model = DistributedDataParallel(model.to(args.gpu), device_ids=[args.gpu])
        self.loader, self.sampler = loader, sampler
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=args.lr)
        self.scaler = torch.amp.GradScaler("cuda")
        self.epoch = -1
        self.batches = iter(())

    def next_batch(self):
        try:
            return next(self.batches)
        except StopIteration:
            self.epoch += 1
            self.sampler.set_epoch(self.epoch)
            self.batches = iter(self.loader)
            return next(self.batches)

    def micro_step(self):
        images = self.next_batch().to(self.args.gpu, non_blocking=True)
        with torch.amp.autocast("cuda", dtype=torch.float16):
            loss = self.model(images, mask_ratio=self.args.mask_ratio)
        self.scaler.scale(loss / self.args.accum_iter).backward()
        return loss.detach()

    def update(self):
        self.optimizer.zero_grad(set_to_none=True)
        total = sum(self.micro_step() for _ in range(self.args.accum_iter))
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.args.clip_grad)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return total / self.args.accum_iter

    def run(self):
        self.model.train()
        for step in range(self.args.total_updates):
            loss = self.update()
            if self.args.gpu == 0 and step % 20 == 0:
                print(step, float(loss))
