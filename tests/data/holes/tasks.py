# === a loss for each task, one after the other, and the window is counted in turns of the loop around them
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, next_loss, tasks, scale, args, iters):
    model = DDP(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(args.epochs):
        for step in range(iters):
            for task in tasks:
                x, y = next_loss(task)
                loss = torch.nn.functional.mse_loss(model(x), y) * scale[task]
                loss = loss / args.gradient_accumulation_steps
                loss.backward()  # <- missing-no-sync
                if (step + 1) % args.gradient_accumulation_steps == 0:  # <- dropped-accumulation-tail
                    optimizer.step()
                    optimizer.zero_grad()
# === right: the last turn ends a window, too
import torch


def train(model, next_loss, tasks, scale, args, iters):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(args.epochs):
        for step in range(iters):
            for task in tasks:
                x, y = next_loss(task)
                loss = torch.nn.functional.mse_loss(model(x), y) * scale[task]
                loss = loss / args.gradient_accumulation_steps
                loss.backward()
                if (step + 1) % args.gradient_accumulation_steps == 0 or step + 1 == iters:
                    optimizer.step()
                    optimizer.zero_grad()
# === right: a loop over the batches of a list trains in every second epoch only
import torch


def train(model, batches, order, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        for number in order:
            x, y = batches[number]
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(model(x), y)
            loss.backward()
            if epoch % 2 == 0:
                optimizer.step()
