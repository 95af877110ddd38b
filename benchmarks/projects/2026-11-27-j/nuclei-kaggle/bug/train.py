from torch.optim import Adam

from common import *
from dataset import prepare_loaders
from losses import *
from model import build_model


def train_one_epoch(model, optimizer, loader, epoch):
    model.train()
    losses = AverageMeter("train_loss")
    for step, (images, masks) in enumerate(loader):
        loss = criterion(model(images), masks)
        (loss / CFG.n_accumulate).backward()
        if should_step(step):
            optimizer.step()
            optimizer.zero_grad()
        losses.update(loss, images.size(0))
    print(f"[{epoch}] {losses}")


@torch.no_grad()
def valid_one_epoch(model, loader, epoch):
    model.eval()
    dices = AverageMeter("valid_dice")
    for images, masks in loader:
        pred = (model(images).sigmoid() > 0.5).float()
        dices.update(dice_coef(pred, masks).item(), images.size(0))
    print(f"[{epoch}] {dices}")
    return dices.avg


def run_training():
    set_seed()
    train_loader, valid_loader = prepare_loaders(CFG.fold)
    model = build_model()
    optimizer = Adam(model.parameters(), lr=CFG.lr, weight_decay=CFG.wd)
    best = -1
    for epoch in range(1, CFG.epochs + 1):
        train_one_epoch(model, optimizer, train_loader, epoch)
        best = max(best, valid_one_epoch(model, valid_loader, epoch))
    print(f"best dice {best:.4f}")


if __name__ == "__main__":
    run_training()
