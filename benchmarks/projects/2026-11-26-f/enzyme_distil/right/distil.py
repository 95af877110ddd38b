import json

import torch
from torch.nn import functional as F

from ema import WeightAverage
from networks import Reader, counting_teacher
from scoring import accuracy
from sequences import enzymes


def soft_loss(student_logits, teacher_logits, temperature):
    log_p = F.log_softmax(student_logits / temperature, 1)
    q = F.softmax(teacher_logits / temperature, 1)
    return F.kl_div(log_p, q, reduction="batchmean") * temperature**2


def distil(cfg):
    torch.manual_seed(cfg["seed"])
    loader = enzymes(256, 0, cfg["batch_size"], shuffle=True)
    held_out = enzymes(96, 1, cfg["batch_size"], shuffle=False)
    teacher, student = counting_teacher(), Reader(24, drop=0.2)
    average = WeightAverage(student, cfg["decay"])
    optimizer = torch.optim.AdamW(student.parameters(), lr=cfg["lr"])
    student.train()
    update = 0
    for epoch in range(cfg["epochs"]):
        for chains, family in loader:
            with torch.no_grad():
                target = teacher(chains)
            logits = student(chains)
            loss = soft_loss(logits, target, cfg["temperature"]) + cfg["hard"] * F.cross_entropy(logits, family)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            average.follow(student)
            update += 1
            if update % cfg["report_every"] == 0:
                with average.applied(student) as net:
                    print(epoch, update, f"{loss.item():.3f} {accuracy(net, held_out):.3f}")


if __name__ == "__main__":
    with open("settings.json") as f:
        distil(json.load(f))
