import torch
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

from amp_tools import bracket
from data.pairs import radar_pairs
from model import ChangeNet
from optim_factory import optimizers
from task_weights import TaskWeights


def forward_losses(model, batch):
    images, flooded, share = batch
    with torch.autocast("cpu", dtype=torch.float16):
        mask, guess = model(images)
    return [F.binary_cross_entropy_with_logits(mask.float(), flooded), F.mse_loss(guess.float(), share)]


def train(epochs=4, lr=5e-3, max_norm=0.5):
    torch.manual_seed(0)
    model, weights, loader = ChangeNet(), TaskWeights(2), radar_pairs()
    opts = optimizers(model, lr)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
    prepare, commit = bracket(scaler, opts)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for batch in loader:
            for opt in opts.values():
                opt.zero_grad(set_to_none=True)
            loss = weights(forward_losses(model, batch))
            scaler.scale(loss).backward()
            weights.adjust()
            prepare()
            norm = clip_grad_norm_(model.parameters(), max_norm)
            if torch.isfinite(norm):
                commit()
            total += loss.item()
        print(epoch, f"{total / len(loader):.4f}", [round(v, 3) for v in weights.log_var.tolist()])


if __name__ == "__main__":
    train()
