import torch
import torch.nn.functional as F


def pretrain_teacher(teacher, loader, epochs, lr=1e-2):
    optimizer = torch.optim.Adam(teacher.parameters(), lr=lr)
    teacher.train()
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(teacher(x), y).backward()
            optimizer.step()


class Distiller:
    def __init__(self, cfg, teacher, student):
        self.cfg = cfg
        self.teacher = teacher.eval().requires_grad_(False)
        self.student = student
        self.optimizer = torch.optim.SGD(student.parameters(), lr=cfg.lr, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=cfg.epochs)

    def objective(self, x, y):
        t = self.cfg.temperature
        logits = self.student(x)
        with torch.no_grad():
            soft = (self.teacher(x) / t).softmax(-1)
        kd = F.kl_div((logits / t).log_softmax(-1), soft, reduction="batchmean") * t * t
        return self.cfg.alpha * kd + (1 - self.cfg.alpha) * F.cross_entropy(logits, y)

    def update(self):
        torch.nn.utils.clip_grad_norm_(self.student.parameters(), self.cfg.max_norm)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)

    def train_epoch(self, loader):
        self.student.train()
        self.optimizer.zero_grad(set_to_none=True)
        total = 0.0
        for index, (x, y) in enumerate(loader):
            loss = self.objective(x, y)
            loss.backward()
            total += loss.item()
            if self.cfg.due(index, len(loader)):
                self.update()
        return total / len(loader)

    @torch.no_grad()
    def accuracy(self, model, loader):
        model.eval()
        hits = [(model(x).argmax(-1) == y).float().mean().item() for x, y in loader]
        return sum(hits) / len(hits)

    def run(self, train_loader, val_loader):
        print("teacher", round(self.accuracy(self.teacher, val_loader), 3))
        for epoch in range(self.cfg.epochs):
            loss = self.train_epoch(train_loader)
            self.scheduler.step()
            print(f"epoch {epoch} loss {loss:.4f} acc {self.accuracy(self.student, val_loader):.3f}")
