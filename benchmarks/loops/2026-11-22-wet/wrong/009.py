import torch
from timm.models import create_model

from datasets import create_loader


class LossScaler:
    def __init__(self):
        self._scaler = torch.amp.GradScaler("cuda")

    def __call__(self, loss, optimizer, clip_grad=None, parameters=None):
        self._scaler.scale(loss).backward()
        if clip_grad is not None:
            torch.nn.utils.clip_grad_norm_(parameters, clip_grad)
        self._scaler.step(optimizer)
        self._scaler.update()

    def state_dict(self):
        return self._scaler.state_dict()


def train(args):
    model = create_model(args.model, num_classes=args.num_classes).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, nesterov=True)
    loader = create_loader(args, split="train")
    loss_fn = torch.nn.CrossEntropyLoss().cuda()
    loss_scaler = LossScaler()

    for epoch in range(args.start_epoch, args.epochs):
        model.train()
        for batch_idx, (input, target) in enumerate(loader):
            with torch.amp.autocast("cuda", dtype=torch.float16):
                output = model(input)
                loss = loss_fn(output, target)
            optimizer.zero_grad()
            loss_scaler(loss, optimizer, clip_grad=args.clip_grad, parameters=model.parameters())
            if batch_idx % args.log_interval == 0:
                print(f"{epoch} [{batch_idx}/{len(loader)}] {loss.item():.4f}")
        torch.save({"model": model.state_dict(), "scaler": loss_scaler.state_dict()}, args.output)
