"""Face-verification style training: softmax loss plus center loss, fp16."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Embedder(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(30, 24), nn.PReLU(), nn.Linear(24, dim))

    def forward(self, x):
        return self.net(x)


class CenterLoss(nn.Module):
    def __init__(self, classes, dim):
        super().__init__()
        self.centers = nn.Parameter(torch.randn(classes, dim))

    def forward(self, emb, labels):
        return (emb.float() - self.centers[labels]).pow(2).sum(1).mean()


def build(classes=5, dim=8):
    return Embedder(dim), nn.Linear(dim, classes), CenterLoss(classes, dim)


def run(iters=20, center_weight=0.05):
    torch.manual_seed(10)
    embedder, classifier, center = build()
    params = [*embedder.parameters(), *classifier.parameters(), *center.parameters()]
    optimizer = torch.optim.Adam(params, lr=3e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=2048.0)
    protos = torch.randn(5, 30)

    for it in range(iters):
        labels = torch.randint(0, 5, (20,))
        faces = protos[labels] + 0.4 * torch.randn(20, 30)
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            emb = embedder(faces)
            logits = classifier(emb)
            id_loss = F.cross_entropy(logits, labels)
        scaler.scale(id_loss).backward(retain_graph=True)

        compact = center_weight * center(emb, labels)
        compact.backward()

        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(params, 5.0)
        scaler.step(optimizer)
        scaler.update()
        if it % 5 == 4:
            print(f"iter {it + 1}: id {id_loss.item():.4f} center {compact.item():.4f}")


if __name__ == "__main__":
    run()
