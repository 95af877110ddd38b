import torch
from torch import nn

HISTORY = []


def kd_loss(student_logits, teacher_logits, labels, T=2.0, alpha=0.7):
    soft = nn.functional.kl_div(
        (student_logits / T).log_softmax(-1), (teacher_logits / T).softmax(-1), reduction="batchmean"
    )
    return alpha * T * T * soft + (1 - alpha) * nn.functional.cross_entropy(student_logits, labels)


def distill(student, teacher, loader, optimizer, epochs):
    teacher.eval()
    student.train()
    for epoch in range(epochs):
        for step, (x, y) in enumerate(loader):
            with torch.no_grad():
                t = teacher(x)
            loss = kd_loss(student(x), t, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            HISTORY.append((epoch, step, loss))


if __name__ == "__main__":
    torch.manual_seed(0)
    loader = [(torch.randn(8, 10), torch.randint(0, 4, (8,))) for _ in range(9)]
    teacher = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 4))
    student = nn.Linear(10, 4)
    distill(student, teacher, loader, torch.optim.SGD(student.parameters(), lr=0.1), epochs=3)
    print(HISTORY[0][2].item(), HISTORY[-1][2].item())
