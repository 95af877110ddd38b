import torch
from torch import nn
from torch.cuda.amp import GradScaler, autocast


class LossScaler:
    state_dict_key = "amp_scaler"

    def __init__(self):
        self._scaler = GradScaler()

    def __call__(self, loss, optimizer, clip_grad=None, parameters=None, create_graph=False, need_update=True):
        self._scaler.scale(loss).backward(create_graph=create_graph)
        if not need_update:
            return None
        norm = None
        if clip_grad is not None:
            assert parameters is not None
            norm = nn.utils.clip_grad_norm_(parameters, clip_grad)
        self._scaler.step(optimizer)
        self._scaler.update()
        return norm

    def state_dict(self):
        return self._scaler.state_dict()

    def load_state_dict(self, state):
        self._scaler.load_state_dict(state)


def micro_batches(images, targets, n):
    return list(zip(images.chunk(n), targets.chunk(n)))


def train_one_epoch(model, criterion, loader, optimizer, device, epoch, loss_scaler, args, mixup=None):
    model.train()
    optimizer.zero_grad()
    for images, targets in loader:
        images, targets = images.to(device), targets.to(device)
        if mixup is not None:
            images, targets = mixup(images, targets)
        parts = micro_batches(images, targets, args.accum_iter)
        for k, (x, y) in enumerate(parts):
            with autocast():
                loss = criterion(model(x), y) / len(parts)
            loss_scaler(
                loss,
                optimizer,
                clip_grad=args.clip_grad,
                parameters=model.parameters(),
                need_update=k + 1 == len(parts),
            )
        optimizer.zero_grad()
    return {"lr": optimizer.param_groups[0]["lr"], "epoch": epoch}


def main(args, model, loader):
    device = torch.device("cuda")
    model.to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    loss_scaler = LossScaler()
    for epoch in range(args.epochs):
        print(train_one_epoch(model, nn.CrossEntropyLoss(), loader, optimizer, device, epoch, loss_scaler, args))
