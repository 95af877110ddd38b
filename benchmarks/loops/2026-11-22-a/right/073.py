import torch
import torch.nn.functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader

from consistency.data import LabelledUnlabelled
from consistency.model import wrn_28_2


@torch.inference_mode()
def error(model, loader, device):
    model.eval()
    wrong = 0
    for x, y in loader:
        wrong += (model(x.to(device)).argmax(1).cpu() != y).sum().item()
    return wrong / len(loader.dataset)


def fixmatch_loss(model, labelled, target, weak, strong, threshold=0.95, weight=1.0):
    n = len(labelled)
    logits = model(torch.cat([labelled, weak, strong]))
    supervised = F.cross_entropy(logits[:n], target)
    weak_logits, strong_logits = logits[n:].chunk(2)
    confidence, pseudo = weak_logits.detach().softmax(-1).max(-1)
    mask = (confidence >= threshold).float()
    unsupervised = (F.cross_entropy(strong_logits, pseudo, reduction="none") * mask).mean()
    return supervised + weight * unsupervised


def main(steps=2**20, lr=0.03, every=1024):
    device = torch.device("cuda")
    data = LabelledUnlabelled("cifar10", labels=40)
    model = wrn_28_2(10).to(device)
    ema = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.999), use_buffers=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, nesterov=True, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=steps)
    test = DataLoader(data.test, batch_size=512)
    model.train()
    for step, batch in enumerate(data.train_batches(64, 448, steps), start=1):
        loss = fixmatch_loss(model, *(t.to(device) for t in batch))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        ema.update_parameters(model)
        if step % every == 0:
            print(f"{step} loss {loss.item():.4f} ema error {error(ema, test, device):.4f}")


if __name__ == "__main__":
    main()
