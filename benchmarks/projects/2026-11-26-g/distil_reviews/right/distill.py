import json
import math
import sys

import torch
from accelerate import Accelerator

from losses import DistillationLoss
from recipe import Recipe
from reviews import BagOfWords, loader_for


def main(path):
    with open(path) as file:
        settings = json.load(file)
    torch.manual_seed(settings["seed"])
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=settings["gradient_accumulation_steps"])
    teacher = BagOfWords(48).eval().requires_grad_(False)
    student, loader = BagOfWords(8), loader_for(settings)
    optimizer = torch.optim.AdamW(student.parameters(), lr=settings["learning_rate"])
    updates = settings["epochs"] * math.ceil(len(loader) / accelerator.gradient_accumulation_steps)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=updates)
    student, optimizer, loader, schedule = accelerator.prepare(student, optimizer, loader, schedule)
    criterion = DistillationLoss(settings)
    recipe = Recipe(accelerator, student, optimizer, schedule, settings["max_grad_norm"])

    for epoch in range(settings["epochs"]):
        student.train()
        running = 0.0
        for ids, labels in loader:
            with accelerator.accumulate(student):
                recipe.before()
                with torch.no_grad():
                    target = teacher(ids)
                loss = criterion(student(ids), target, labels)
                accelerator.backward(loss)
                recipe.after()
            running += loss.item()
        accelerator.print(epoch, round(running / len(loader), 4), schedule.get_last_lr())


if __name__ == "__main__":
    main(sys.argv[1])
