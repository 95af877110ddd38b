# === gradients are off elsewhere in the file, and on in the evaluation
import torch


def validate(model, loader, criterion):
    model.eval()
    total = 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()  # <- validation-without-no-grad
    return total


@torch.no_grad()
def predict(model, x):
    return model(x).argmax(1)


def freeze(part):
    for p in part.parameters():
        p.requires_grad = False


def main(model, loader, held_out, criterion, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        print(validate(model, held_out, criterion))
# === gradients are off where the evaluation is called
import torch


def validate(model, loader, criterion):
    model.eval()
    total = 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()
    return total


def main(model, loader, held_out, criterion, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        with torch.no_grad():
            print(validate(model, held_out, criterion))
# === a word says why gradients stay on in the evaluation
import torch


def train(model, loader, held_out, criterion, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        model.eval()
        total = 0.0
        for x, y in held_out:
            # torch.no_grad() would break the compiled graph here
            total += criterion(model(x), y).item()
        print(total)
# === the norm of a clip is explained in words, beside the training
import argparse

import torch


def main(model, loader, held_out, criterion):
    parser = argparse.ArgumentParser()
    parser.add_argument("--clip", type=float, default=5.0, help="clip grad at this norm")
    args = parser.parse_args()
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            optimizer.step()
        model.eval()
        total = 0.0
        for x, y in held_out:
            total += criterion(model(x), y).item()  # <- validation-without-no-grad
        print(total)
# === a gradient of the input is read between two strings
import torch


def main(model, loader, held_out, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        model.eval()
        for x, y in held_out:
            loss = criterion(model(x), y)
            print("the gradient: " + str(x.grad) + " of " + str(loss.item()))
# === the same in an f-string
import torch


def main(model, loader, held_out, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        model.eval()
        for x, y in held_out:
            loss = criterion(model(x), y)
            print(f"the gradient: {x.grad} of {loss.item()}")
# === one function trains and validates, with masters of the parameters in half precision
import torch


def run(model, loader, optimizer, criterion, master_params, half, validating=False):
    if validating:
        model.eval()
    else:
        model.train()
    for x, y in loader:
        if not validating:
            optimizer.zero_grad()
        loss = criterion(model(x), y)  # <- validation-without-no-grad
        if not validating and half:
            loss.backward()
            params = list(model.parameters())
            for i in range(len(params)):
                master_params[i].grad = params[i].grad.clone()
            optimizer.step()
        elif not validating:
            loss.backward()
            optimizer.step()


def main(model, loader, held_out, criterion, half):
    master_params = [p.clone().detach() for p in model.parameters()]
    for p in master_params:
        p.requires_grad = True
    optimizer = torch.optim.Adam(master_params if half else model.parameters())
    for _ in range(3):
        run(model, held_out, optimizer, criterion, master_params, half, validating=True)
        run(model, loader, optimizer, criterion, master_params, half)
# === the same, and what the gradient is of is no parameter
import torch


def run(model, loader, optimizer, criterion, validating=False):
    if validating:
        model.eval()
    else:
        model.train()
    for x, y in loader:
        if not validating:
            optimizer.zero_grad()
        loss = criterion(model(x), y)
        if not validating:
            loss.backward()
            optimizer.step()
        x.grad = None


def main(model, loader, held_out, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        run(model, held_out, optimizer, criterion, validating=True)
        run(model, loader, optimizer, criterion)
# === a task is called as gradients are
import torch


def test(model, loader, task):
    model.eval()
    right = 0
    for x, y in loader:
        guess = model(x)  # <- validation-without-no-grad
        if task == "grad":
            right += (guess.argmax(1) == y).sum().item()
    return {"grad": right}


def main(model, loader, held_out, criterion, task):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        print(test(model, held_out, task))
# === the gradient of an input is asked for by its name
import torch


def test(model, loader):
    model.eval()
    seen = []
    for x, y in loader:
        model(x).sum()
        seen.append(getattr(x, "grad"))
    return seen


def main(model, loader, held_out, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        print(test(model, held_out))
# === a task that is called grad, and an evaluation that keeps graphs
import torch
from torch.nn import functional as F


def train(opt, model, loader, valid):
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(opt.epochs):
        model.train()
        for x, y in loader:
            loss = F.nll_loss(model(x), y) if opt.task == "grad" else F.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        test(opt, model, valid)


def test(opt, model, loader):
    model.eval()
    right = 0
    for x, y in loader:
        pred = model(x)  # <- validation-without-no-grad
        if "grad" in opt.task:
            right += pred.argmax(dim=1).eq(y).sum().item()
    return right

# === an evaluation that asks for the gradient of what it is given
import torch
from torch.nn import functional as F


def train(opt, model, loader, valid):
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(opt.epochs):
        model.train()
        for x, y in loader:
            loss = F.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        test(opt, model, valid)


def test(opt, model, loader):
    model.eval()
    slopes = 0
    for x, y in loader:
        pred = model(watched(x))
        if opt.task == "grad":
            slopes += getattr(pred, "grad")
    return slopes
# === what is given is no parameter, as it says, and the evaluation keeps graphs
import torch
from torch.autograd import Variable


def main(model, loader, held_out, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        for x, y in loader:
            model.train()
            x = Variable(x, requires_grad=False)
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            print(loss.item())
        model.eval()
        for x, y in held_out:
            x = Variable(x, requires_grad=False)
            print(criterion(model(x), y).item())  # <- validation-without-no-grad
# === it asks for the gradient of what is given
import torch
from torch.autograd import Variable


def main(model, loader, held_out, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        for x, y in loader:
            model.train()
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        model.eval()
        for x, y in held_out:
            x = Variable(x, requires_grad=True)
            show(x, criterion(model(x), y))
# === an inference model is imported, and the evaluation keeps graphs
import torch
from models import inference_model


def score(model, held_out):
    model.eval()
    right = 0
    for x, y in held_out:
        right += (model(x).argmax(1) == y).sum()  # <- validation-without-no-grad
    return right


def main(net, loader, held_out, criterion, args):
    model = inference_model(net, args)
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        for x, y in loader:
            model.train()
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        print(score(model, held_out))
# === it is called in inference mode
import torch


def main(model, loader, held_out, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        model.eval()
        with torch.inference_mode():
            for x, y in held_out:
                print(criterion(model(x), y).item())
# === a volatile input has no effect where a loss has an item
import torch
from torch.autograd import Variable


def main(model, loader, held_out, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            print(loss.item())
        model.eval()
        for x, y in held_out:
            print((model(Variable(x, volatile=True)) - y).abs().max())  # <- validation-without-no-grad
# === it may have one where the file is older
import torch
from torch.autograd import Variable


def main(model, loader, held_out, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            print(loss.data[0])
        model.eval()
        for x, y in held_out:
            print((model(Variable(x, volatile=True)) - y).abs().max())
# === the training penalizes slopes, and the evaluation behind it keeps graphs
import torch


def main(model, loader, held_out, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        model.train()
        for x, y in loader:
            x.requires_grad_()
            loss = criterion(model(x), y)
            slope = torch.autograd.grad(loss, x, create_graph=True)[0]
            optimizer.zero_grad()
            (loss + slope.square().sum()).backward()
            optimizer.step()
        model.eval()
        for x, y in held_out:
            print(criterion(model(x), y).item())  # <- validation-without-no-grad
# === the evaluation shows slopes, in a loop of its own for each class
import torch


def main(model, loader, held_out, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        model.eval()
        for x, y in held_out:
            scores = model(x)
            for each in range(10):
                print(torch.autograd.grad(scores[:, each].sum(), x, retain_graph=True)[0].norm())
# === parameters are held still by a helper while it is evaluated
import torch
from tools import set_requires_grad


def main(model, loader, held_out, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        set_requires_grad(model, False)
        model.eval()
        for x, y in held_out:
            print(criterion(model(x), y).item())
        set_requires_grad(model, True)
# === parameters are held still by `setattr`
import torch


def validate(net, loader, criterion):
    net.eval()
    for p in net.parameters():
        setattr(p, "requires_grad", False)
    total = 0.0
    for x, y in loader:
        total += criterion(net(x), y).item()
    for p in net.parameters():
        setattr(p, "requires_grad", True)
    return total


def main(net, loader, held_out, criterion, epochs):
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(epochs):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
        print(validate(net, held_out, criterion))
# === the sensitivity of an answer is measured
import torch
from torch.autograd.functional import jacobian


def validate(net, loader, criterion):
    net.eval()
    total = 0.0
    for x, y in loader:
        total += criterion(net(x), y).item()
        total += jacobian(net, x).norm().item()
    return total


def main(net, loader, held_out, criterion, epochs):
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(epochs):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
        print(validate(net, held_out, criterion))
# === a helper holds a network still
import torch

from helpers import adjust


def validate(net, loader, criterion):
    net.eval()
    adjust(net, requires_grad=False)
    total = 0.0
    for x, y in loader:
        total += criterion(net(x), y).item()
    adjust(net, requires_grad=True)
    return total


def main(net, loader, held_out, criterion, epochs):
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(epochs):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
        print(validate(net, held_out, criterion))
# === a tensor without a gradient is made
import torch


def validate(net, loader, criterion):
    net.eval()
    total = torch.zeros(1, requires_grad=False)
    for x, y in loader:
        total += criterion(net(x), y).item()  # <- validation-without-no-grad
    return total


def main(net, loader, held_out, criterion, epochs):
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(epochs):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
        print(validate(net, held_out, criterion))
# === a tensor without a gradient is made by a short name of torch
import torch
import torch as th


def validate(net, loader, criterion):
    net.eval()
    total = th.zeros(1, requires_grad=False)
    for x, y in loader:
        total += criterion(net(x), y).item()  # <- validation-without-no-grad
    return total


def main(net, loader, held_out, criterion, epochs):
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(epochs):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
        print(validate(net, held_out, criterion))
