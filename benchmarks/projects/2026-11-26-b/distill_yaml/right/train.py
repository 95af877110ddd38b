import torch

from distill.config import load_config
from distill.data import make_loaders
from distill.engine import train_epoch
from distill.evaluation import evaluate
from distill.models import make_student, make_teacher


def main():
    cfg = load_config("conf/config.yaml")
    torch.manual_seed(cfg.seed)
    train_loader, test_loader = make_loaders(cfg.data)
    teacher = make_teacher(cfg.data.features, cfg.data.classes).eval()
    student = make_student(cfg.data.features, cfg.data.classes)
    optimizer = torch.optim.SGD(student.parameters(), lr=cfg.train.lr, momentum=0.9)

    student.train()
    for epoch in range(cfg.train.epochs):
        loss = train_epoch(student, teacher, train_loader, optimizer, cfg)
        accuracy = evaluate(student, test_loader)
        print(f"epoch {epoch}: loss {loss:.4f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
