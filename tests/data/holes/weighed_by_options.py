# === each term has its own weight among the options
import torch.nn.functional as F


def train(args, model, loader, optimizer):
    for i, (x, root, vowel) in enumerate(loader):
        one, two = model(x)
        loss = args.weight_root * F.cross_entropy(one, root) + args.weight_vowel * F.cross_entropy(two, vowel)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % args.accumulation_steps == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === three terms, weighed by parameters, added one by one
import torch.nn.functional as F


def train(model, loader, optimizer, weight_root, weight_vowel, weight_rest, accum):
    for i, (x, root, vowel, rest) in enumerate(loader):
        one, two, three = model(x)
        loss = weight_root * F.cross_entropy(one, root)
        loss = loss + weight_vowel * F.cross_entropy(two, vowel)
        loss += F.cross_entropy(three, rest) * weight_rest
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === only apex has its share
import torch.nn.functional as F
from apex import amp


def train(args, model, loader, optimizer):
    if args.apex:
        model, optimizer = amp.initialize(model, optimizer, opt_level="O1")
    for i, (x, root, vowel) in enumerate(loader):
        one, two = model(x)
        loss = args.weight_root * F.cross_entropy(one, root) + args.weight_vowel * F.cross_entropy(two, vowel)
        if args.apex:
            with amp.scale_loss(loss / args.accumulation_steps, optimizer) as scaled_loss:
                scaled_loss.backward()
        else:
            loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % args.accumulation_steps == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === parameters of any name: a window's share may be in them
import torch.nn.functional as F


def train(model, loader, optimizer, root_part, vowel_part, accum):
    for i, (x, root, vowel) in enumerate(loader):
        one, two = model(x)
        loss = root_part * F.cross_entropy(one, root) + vowel_part * F.cross_entropy(two, vowel)
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === one number that nobody knows multiplies each term: it may be the share
import torch.nn.functional as F


def train(args, model, loader, optimizer, share):
    for i, (x, root, vowel) in enumerate(loader):
        one, two = model(x)
        loss = args.weight_root * share * F.cross_entropy(one, root) + args.weight_vowel * share * F.cross_entropy(two, vowel)
        loss.backward()
        if (i + 1) % args.accumulation_steps == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === one number that nobody knows multiplies the sum
import torch.nn.functional as F


def train(args, model, loader, optimizer, share):
    for i, (x, root, vowel) in enumerate(loader):
        one, two = model(x)
        loss = args.weight_root * F.cross_entropy(one, root) + args.weight_vowel * F.cross_entropy(two, vowel)
        (loss * share).backward()
        if (i + 1) % args.accumulation_steps == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === both branches have their share
import torch.nn.functional as F
from apex import amp


def train(args, model, loader, optimizer):
    if args.apex:
        model, optimizer = amp.initialize(model, optimizer, opt_level="O1")
    for i, (x, root, vowel) in enumerate(loader):
        one, two = model(x)
        loss = args.weight_root * F.cross_entropy(one, root) + args.weight_vowel * F.cross_entropy(two, vowel)
        loss = loss / args.accumulation_steps
        if args.apex:
            with amp.scale_loss(loss, optimizer) as scaled_loss:
                scaled_loss.backward()
        else:
            loss.backward()
        if (i + 1) % args.accumulation_steps == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === each term is divided where it is weighed
import torch.nn.functional as F


def train(args, model, loader, optimizer):
    for i, (x, root, vowel) in enumerate(loader):
        one, two = model(x)
        loss = args.weight_root * F.cross_entropy(one, root) / args.accumulation_steps
        loss += args.weight_vowel * F.cross_entropy(two, vowel) / args.accumulation_steps
        loss.backward()
        if (i + 1) % args.accumulation_steps == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === weights that are the inverse of the window
import torch.nn.functional as F


def train(args, model, loader, optimizer):
    weight_root, weight_vowel = 2 / args.accumulation_steps, 1 / args.accumulation_steps
    for i, (x, root, vowel) in enumerate(loader):
        one, two = model(x)
        loss = weight_root * F.cross_entropy(one, root) + weight_vowel * F.cross_entropy(two, vowel)
        loss.backward()
        if (i + 1) % args.accumulation_steps == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === weights over the window that nobody knows
import torch.nn.functional as F


def train(args, model, loader, optimizer):
    weight_root, weight_vowel = args.weight_root / args.accumulation_steps, args.weight_vowel / args.accumulation_steps
    for i, (x, root, vowel) in enumerate(loader):
        one, two = model(x)
        loss = weight_root * F.cross_entropy(one, root) + weight_vowel * F.cross_entropy(two, vowel)
        loss.backward()
        if (i + 1) % args.accumulation_steps == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === weights that a function makes of each number of parts
import torch.nn.functional as F
from weights import of_root, of_vowel


def train(args, model, loader, optimizer):
    for i, (x, root, vowel) in enumerate(loader):
        one, two = model(x)
        loss = of_root(args.accumulation_steps) * F.cross_entropy(one, root)
        loss = loss + of_vowel(args.accumulation_steps) * F.cross_entropy(two, vowel)
        loss.backward()
        if (i + 1) % args.accumulation_steps == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === the weight of a micro-batch in its window, whichever way it is called
import torch


def train(model, loader, weight_micro, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y) * weight_micro
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
