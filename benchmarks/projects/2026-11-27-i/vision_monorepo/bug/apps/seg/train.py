import torch
import torch.nn.functional as F
from optimkit import commit, limit_gradients
from seg.shapes import discs
from seg.unet import MiniUNet


def iou(logits, mask):
    guess = logits > 0
    both = (guess & mask.bool()).sum()
    return (both / (guess | mask.bool()).sum().clamp(min=1)).item()


def validate(net, image, mask):
    net.eval()
    with torch.no_grad():
        score = iou(net(image), mask)
    net.train()
    return score


def train(epochs=3, batch=16, max_norm=0.5):
    torch.manual_seed(6)
    images, masks = discs(96)
    held = discs(32, seed=1)
    net = MiniUNet()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0)
    opt.zero_grad(set_to_none=True)
    for epoch in range(epochs):
        for x, y in zip(images.split(batch), masks.split(batch)):
            with torch.autocast("cpu", dtype=torch.float16):
                logits = net(x)
            loss = F.binary_cross_entropy_with_logits(logits.float(), y)
            limit_gradients(net, max_norm)
            scaler.scale(loss).backward()
            scaler.unscale_(opt)
            commit(opt)
            scaler.update()
        print(f"epoch {epoch}: bce {loss.item():.4f} iou {validate(net, *held):.3f}")


if __name__ == "__main__":
    train()
