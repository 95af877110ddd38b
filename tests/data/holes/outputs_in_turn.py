# === the losses that a model returns are averaged one by one, and the first goes backward
import torch


def main(model, loader, held_out):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            losses = [torch.mean(one) for one in model(x, y)]
            losses[0].backward()
            optimizer.step()
        model.eval()
        total = 0.0
        for x, y in held_out:
            total += model(x, y)[0].item()  # <- validation-without-no-grad
        print(total)
# === the same, and gradients are off in the evaluation
import torch


def main(model, loader, held_out):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            losses = [torch.mean(one) for one in model(x, y)]
            losses[0].backward()
            optimizer.step()
        model.eval()
        total = 0.0
        with torch.no_grad():
            for x, y in held_out:
                total += model(x, y)[0].item()
        print(total)
# === what is evaluated is another network than the one whose losses go backward
import torch


def main(model, teacher, loader, held_out):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            losses = [torch.mean(one) for one in model(x, y)]
            losses[0].backward()
            optimizer.step()
        teacher.eval()
        total = 0.0
        for x, y in held_out:
            total += teacher(x, y)[0].item()
        print(total)
# === each loss of a batch goes backward by itself, before the step
import torch


def main(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        for one in model(x, y):
            one.mean().backward(retain_graph=True)
        optimizer.step()
# === the outputs of all stages are compared with the target, and the sum goes backward
import torch


def main(model, loader, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        loss = 0
        for stage in model(x):
            loss = loss + criterion(stage, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
# === the losses of a model are kept for a plot, with their graphs
import torch


def main(model, loader, history):
    optimizer = torch.optim.Adam(model.parameters())
    total = 0
    for x, y in loader:
        losses = [torch.mean(one) for one in model(x, y)]
        optimizer.zero_grad()
        losses[0].backward()
        optimizer.step()
        total += losses[0]  # <- loss-graph-leak
    print(total)
# === the same as numbers
import torch


def main(model, loader, history):
    optimizer = torch.optim.Adam(model.parameters())
    total = 0
    for x, y in loader:
        losses = [torch.mean(one) for one in model(x, y)]
        optimizer.zero_grad()
        losses[0].backward()
        optimizer.step()
        total += [one.item() for one in losses][0]
    print(total)
