# === no data for training is asked for before the evaluation
import os

import torch
import torch.nn.functional as F


def run(model, loader, accum, seeds=0):
    if seeds == 0 and not os.path.exists("train.bin"):
        return
    if seeds > 0:
        model.eval()
        for x, y in loader:
            with torch.no_grad():
                print(F.mse_loss(model(x), y))
        return
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        F.mse_loss(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
# === right: no data for training is asked for before the evaluation
import os

import torch
import torch.nn.functional as F


def run(model, loader, accum, seeds=0):
    if seeds == 0 and not os.path.exists("train.bin"):
        return
    if seeds > 0:
        model.eval()
        for x, y in loader:
            with torch.no_grad():
                print(F.mse_loss(model(x), y))
        return
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        (F.mse_loss(model(x), y) / accum).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
# === only a test, asked for twice
import torch
import torch.nn.functional as F


def main(model, loader, args, data):
    if not args.only_test and data is None:
        return None
    if args.only_test:
        return print(model(next(iter(loader))[0]))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        F.mse_loss(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % args.accum == 0:
            optimizer.step()
            optimizer.zero_grad()
    return model
# === right: only a test, asked for twice
import torch
import torch.nn.functional as F


def main(model, loader, args, data):
    if not args.only_test and data is None:
        return None
    if args.only_test:
        return print(model(next(iter(loader))[0]))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        (F.mse_loss(model(x), y) / args.accum).backward()
        if (i + 1) % args.accum == 0:
            optimizer.step()
            optimizer.zero_grad()
    return model
# === an object that is called, and whose network is put into eval mode
import torch
from rankers import Ranker, make_optimizer


def train(params, loader, valid):
    ranker = Ranker(params)
    model = ranker.model
    optimizer = make_optimizer(model, params)
    model.train()
    for epoch in range(params["epochs"]):
        for query, answer in loader:
            loss, _ = ranker(query, answer)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        evaluate(ranker, valid)  # <- missing-train-mode


def evaluate(ranker, valid):
    ranker.model.eval()
    with torch.no_grad():
        for query, answer in valid:
            ranker(query, answer)
# === the same, put back
import torch
from rankers import Ranker, make_optimizer


def train(params, loader, valid):
    ranker = Ranker(params)
    model = ranker.model
    optimizer = make_optimizer(model, params)
    for epoch in range(params["epochs"]):
        model.train()
        for query, answer in loader:
            loss, _ = ranker(query, answer)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        evaluate(ranker, valid)


def evaluate(ranker, valid):
    ranker.model.eval()
    with torch.no_grad():
        for query, answer in valid:
            ranker(query, answer)
# === the line that switches gradients off is a comment
import torch
from torch.optim import Adagrad


def main(model, loader, valid):
    optimizer = Adagrad(model.parameters())
    for epoch in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        model.eval()
        # with torch.no_grad():
        for x, y in valid:
            guess = model(x)  # <- validation-without-no-grad
            print(guess.argmax(1))
# === one function trains and evaluates, and looks at the gradients of parameters
import torch


def run(model, loader, optimizer=None, writer=None):
    if optimizer is not None:
        model.train()
    else:
        model.eval()
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y)  # <- validation-without-no-grad
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            for name, param in model.named_parameters():
                writer.add_histogram(name, param.grad)
            optimizer.step()


def main(model, train, valid, writer):
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(3):
        run(model, train, optimizer, writer)
        run(model, valid)
# === right: gradients of the inputs are asked for
import torch


def main(model, train, valid):
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(3):
        model.train()
        for x, y in train:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        model.eval()
        for x, y in valid:
            salience = look(model, x, model(x))
            print(x.grad, salience)
# === another network is frozen beside it
import copy

import torch
from torch import nn


def main(drills, held):
    pupil = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.3), nn.Linear(8, 3))
    master = copy.deepcopy(pupil).requires_grad_(False)
    optimizer = torch.optim.SGD(pupil.parameters(), lr=0.2)

    def exam(who):
        who.eval()
        return who(held).mean().item()  # <- validation-without-no-grad

    for term in range(3):
        pupil.train()
        for x, y in drills:
            optimizer.zero_grad()
            nn.functional.mse_loss(pupil(x), y + master(x)).backward()
            optimizer.step()
        print(exam(pupil))
# === a network that is made of torch's own
import torch
from torch import nn


class Encoder(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(12, 20), nn.Dropout(0.1), nn.Linear(20, 6))


def evaluate(encoder, rounds):
    encoder.eval()
    hits = 0
    for x in rounds:
        hits += encoder(x).mean().item()  # <- validation-without-no-grad
    encoder.train()
    return hits


def main(batches, rounds):
    encoder = Encoder()
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in batches:
            optimizer.zero_grad()
            nn.functional.mse_loss(encoder(x), y).backward()
            optimizer.step()
        print(evaluate(encoder, rounds))
# === an attack on the network while it is tested
import torch
from torch.nn import functional as F


def attack(model, x, y):
    delta = torch.zeros_like(x).requires_grad_()
    for _ in range(10):
        loss = F.cross_entropy(model(x + delta), y)
        loss.backward()
        delta.data = delta.data + 0.1 * delta.grad.sign()
        delta.grad.zero_()
    return delta.detach()


def main(model, train, test):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        model.train()
        for x, y in train:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        model.eval()
        for x, y in test:
            delta = attack(model, x, y)
            with torch.no_grad():
                print(model(x + delta).argmax(1) == y)
# === a student that was trained is the teacher of the next
import torch
from torch import nn


class Trainer:
    def __init__(self, student, loader, teacher=None):
        self.student, self.teacher, self.loader = student, teacher, loader
        self.optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
        if self.teacher is not None:
            self.teacher.eval()

    def train(self):
        for epoch in range(3):
            self.student.train()
            for x, y in self.loader:
                self.optimizer.zero_grad()
                loss = nn.functional.mse_loss(self.student(x), y)
                if self.teacher is not None:
                    loss = loss + nn.functional.mse_loss(self.student(x), self.teacher(x))
                loss.backward()
                self.optimizer.step()
            self.validate()

    def validate(self):
        self.student.eval()
        with torch.no_grad():
            for x, _ in self.loader:
                print(self.student(x))


def main(first, second, loader):
    Trainer(first, loader).train()
    Trainer(second, loader, teacher=first).train()
# === a student that was trained is the teacher of the next, and is called like a network
import torch
from torch import nn


class Trainer:
    def __init__(self, student, loader, teacher=None):
        self.student, self.teacher, self.loader = student, teacher, loader
        self.optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
        if self.teacher is not None:
            self.teacher.eval()

    def train(self):
        for epoch in range(3):
            self.student.train()
            for x, y in self.loader:
                self.optimizer.zero_grad()
                loss = nn.functional.mse_loss(self.student(x), y)
                if self.teacher is not None:
                    loss = loss + nn.functional.mse_loss(self.student(x), self.teacher(x))
                loss.backward()
                self.optimizer.step()
            self.validate()

    def validate(self):
        self.student.eval()
        with torch.no_grad():
            for x, _ in self.loader:
                print(self.student(x))


def main(model, other_model, loader):
    Trainer(model, loader).train()
    Trainer(other_model, loader, teacher=model).train()
# === a student that was trained goes on as it was evaluated
import torch
from torch import nn


class Trainer:
    def __init__(self, student, loader):
        self.student, self.loader = student, loader
        self.optimizer = torch.optim.SGD(student.parameters(), lr=0.1)

    def train(self):
        self.student.train()
        for epoch in range(3):
            for x, y in self.loader:
                self.optimizer.zero_grad()
                nn.functional.mse_loss(self.student(x), y).backward()
                self.optimizer.step()
            self.validate()  # <- missing-train-mode

    def validate(self):
        self.student.eval()
        with torch.no_grad():
            for x, _ in self.loader:
                print(self.student(x))


def main(first, loader):
    Trainer(first, loader).train()
# === right: the network is frozen while it is evaluated
import torch


def main(model, train, valid, every):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def val():
        for x, y in valid:
            print(model(x).argmax(1) == y)

    for i, (x, y) in enumerate(train):
        if i % every == 0:
            for p in model.parameters():
                p.requires_grad = False
            model.eval()
            val()
        for p in model.parameters():
            p.requires_grad = True
        model.train()
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
# === right: each member of a list of networks is put back
import torch
from torch import nn


class Ensemble(nn.ModuleList):
    def forward(self, x):
        return torch.stack([member(x) for member in self])


def spread(ensemble, x):
    was = [m.training for m in ensemble]
    ensemble.eval()
    with torch.no_grad():
        value = ensemble(x).std(dim=0).mean().item()
    for m, training in zip(ensemble, was):
        m.train(training)
    return value


def main(data):
    ensemble = Ensemble(nn.Sequential(nn.Linear(3, 6), nn.Dropout(0.1), nn.Linear(6, 1)) for _ in range(3))
    optimizer = torch.optim.SGD(ensemble.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in data:
            optimizer.zero_grad()
            nn.functional.mse_loss(ensemble(x).mean(0), y).backward()
            optimizer.step()
        print(spread(ensemble, x))
# === a test without a word of evaluation
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()


def test(model, loader):
    right = 0
    for x, y in loader:
        right += (model(x).argmax(1) == y).sum().item()  # <- validation-without-no-grad
    return right


def main(model, loaders):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        train(model, loaders[0], optimizer)
        print(test(model, loaders[1]))
# === right: a test without a word of evaluation, called where no gradients are
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()


def test(model, loader):
    right = 0
    for x, y in loader:
        right += (model(x).argmax(1) == y).sum().item()
    return right


def main(model, loaders):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        train(model, loaders[0], optimizer)
        with torch.no_grad():
            print(test(model, loaders[1]))
# === right: an evaluation of actions that the loss goes back through
import torch


class Policy(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = torch.nn.Linear(4, 2)

    def evaluate(self, states, actions):
        chances = []
        for state, action in zip(states, actions):
            chances.append(torch.log_softmax(self.actor(state), -1)[action])
        return torch.stack(chances)


def update(policy, memory, epochs):
    optimizer = torch.optim.Adam(policy.parameters())
    for _ in range(epochs):
        loss = -(policy.evaluate(memory.states, memory.actions) * memory.rewards).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
# === a probe of one part puts all of it into evaluation mode
import torch


def train(learner, images, epochs):
    optimizer = torch.optim.SGD(learner.parameters(), lr=0.1)
    learner.train()
    for epoch in range(epochs):
        for x in images:
            loss = learner(x, x.flip(0))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(probe(learner, images))  # <- missing-train-mode


def probe(learner, images):
    learner.eval()
    with torch.no_grad():
        return learner.online(torch.cat(images)).mean()
# === each epoch is one window, and nothing clears
import torch
import torch.nn.functional as F


def main(model, stream, total, picks):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    done = 0
    while done < total:
        for _ in range(picks):
            x, y = next(stream)
            (F.mse_loss(model(x), y) / picks).backward()
            done += 1
        optimizer.step()  # <- missing-zero-grad
# === a part is frozen where the network is made
import torch
import torch.nn.functional as F


def run(model, loader, optimizer=None):
    if optimizer:
        model.train()
    else:
        model.eval()
    for x, y in loader:
        loss = F.mse_loss(model(x), y)  # <- validation-without-no-grad
        if optimizer:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def main(model, loader, held_out):
    model.stem.requires_grad = False
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        run(model, loader, optimizer)
        run(model, held_out)
# === right: what holds the network is put back
import torch


class Trainer:
    @staticmethod
    def load(args):
        return args.trainer


def main(args, loader, held_out, make):
    trainer = make(args)
    for epoch in range(args.epochs):
        trainer.train()
        for x in loader:
            loss = trainer.model(x).mean()
            trainer.optimizer.zero_grad()
            loss.backward()
            trainer.optimizer.step()
        check(trainer.model, held_out)


def check(model, held_out):
    model.eval()
    with torch.no_grad():
        for x in held_out:
            print(model(x).mean())
# === right: an attack clears what it leaves, and the step takes the last of it
import torch
import torch.nn.functional as F


def attack(model, x, y):
    for _ in range(7):
        x.requires_grad = True
        cost = F.cross_entropy(model(x), y)
        model.zero_grad()
        cost.backward()
        x = (x + x.grad.sign()).detach_()
    return x


def train(net, loader):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net.train()
    for x, y in loader:
        optimizer.zero_grad()
        x = attack(net, x, y)
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
# === right: a network that answers with forces
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        F.mse_loss(model(batch, compute_forces=True), batch.forces).backward()
        optimizer.step()


def evaluate(model, loader):
    model.eval()
    for batch in loader:
        print(F.mse_loss(model(batch, compute_forces=True), batch.forces).item())


def main(model, loader, held_out):
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(10):
        model.train()
        train(model, loader, optimizer)
        evaluate(model, held_out)
# === right: a context of somebody else's evaluates
import torch
import torch.nn.functional as F
from somewhere import eval_mode


class Finder:
    def fit(self, model, loader, held_out, steps):
        self.model, self.optimizer = model, torch.optim.SGD(model.parameters(), lr=0.1)
        for step in range(steps):
            for x, y in loader:
                self.optimizer.zero_grad()
                F.mse_loss(self.model(x), y).backward()
                self.optimizer.step()
            print(self.validate(held_out))

    def validate(self, held_out):
        total = 0.0
        with eval_mode(self.model):
            for x, y in held_out:
                total += F.mse_loss(self.model(x), y).item()
        return total
# === right: a network that is made to answer with a gradient
import torch
import torch.nn.functional as F
from models import Noise


def validate(model, loader):
    model.eval()
    total = 0
    for batch in loader:
        total += F.mse_loss(model(batch), batch.noise).item()
    return total


def train(config, loader, held_out):
    model = Noise(**config["model"], auto_grad=True)
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(10):
        model.train()
        for batch in loader:
            optimizer.zero_grad()
            F.mse_loss(model(batch), batch.noise).backward()
            optimizer.step()
        print(validate(model, held_out))
# === right: a layer that is the same in both modes stays in evaluation mode
import torch
from torch import nn


class Trainer:
    def __init__(self, model, width):
        self.model = model
        self.head = nn.Sequential(nn.Linear(width, 4), nn.ReLU())
        self.optimizer = torch.optim.Adam([*model.parameters(), *self.head.parameters()])

    def validate(self, loader):
        self.model.eval()
        self.head.eval()
        total = 0.0
        with torch.no_grad():
            for x, y in loader:
                total += nn.functional.cross_entropy(self.head(self.model(x)), y).item()
        self.model.train()
        return total

    def train(self, loader, val, epochs):
        for _ in range(epochs):
            for x, y in loader:
                self.optimizer.zero_grad()
                nn.functional.cross_entropy(self.head(self.model(x)), y).backward()
                self.optimizer.step()
            print(self.validate(val))
# === one that drops out does not
import torch
from torch import nn


class Trainer:
    def __init__(self, model, width):
        self.model = model
        self.head = nn.Sequential(nn.Linear(width, 4), nn.Dropout(0.5))
        self.optimizer = torch.optim.Adam([*model.parameters(), *self.head.parameters()])

    def validate(self, loader):
        self.model.eval()
        self.head.eval()
        total = 0.0
        with torch.no_grad():
            for x, y in loader:
                total += nn.functional.cross_entropy(self.head(self.model(x)), y).item()
        self.model.train()
        return total

    def train(self, loader, val, epochs):
        for _ in range(epochs):
            for x, y in loader:
                self.optimizer.zero_grad()
                nn.functional.cross_entropy(self.head(self.model(x)), y).backward()
                self.optimizer.step()
            print(self.validate(val))  # <- missing-train-mode
# === right: what was noted of each module is put back
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def evaluate(self, loader):
        modes = [(module, module.training) for module in self.model.modules()]
        self.model.eval()
        with torch.no_grad():
            total = sum(F.mse_loss(self.model(x), y).item() for x, y in loader)
        for module, training in modes:
            module.training = training
        return total

    def fit(self, loader, held):
        self.model.train()
        for epoch in range(3):
            for x, y in loader:
                self.optimizer.zero_grad()
                F.mse_loss(self.model(x), y).backward()
                self.optimizer.step()
            print(self.evaluate(held))
# === right: what was noted of each module is handed to train()
import torch
import torch.nn.functional as F


def evaluate(model, loader):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    with torch.no_grad():
        total = sum(F.mse_loss(model(x), y).item() for x, y in loader)
    for module, training in modes:
        module.train(training)
    return total


def fit(model, loader, held):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(model(x), y).backward()
            optimizer.step()
        print(evaluate(model, held))
# === modes that are noted and never put back
import torch
import torch.nn.functional as F


def evaluate(model, loader):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    with torch.no_grad():
        total = sum(F.mse_loss(model(x), y).item() for x, y in loader)
    print(modes)
    return total


def fit(model, loader, held):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(model(x), y).backward()
            optimizer.step()
        print(evaluate(model, held))  # <- missing-train-mode
# === right: dropout rests from the beginning, the evaluations change nothing
import torch
import torch.nn.functional as F


def evaluate(model, loader):
    model.eval()
    with torch.no_grad():
        return sum(F.mse_loss(model(x), y).item() for x, y in loader)


def finetune(model, loader, held):
    model.eval()  # the statistics are kept
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(model(x), y).backward()
            optimizer.step()
        print(evaluate(model, held))
# === a look at the untrained network leaves it as the later ones do
import torch
import torch.nn.functional as F


def evaluate(model, loader):
    model.eval()
    with torch.no_grad():
        return sum(F.mse_loss(model(x), y).item() for x, y in loader)


def train(model, loader, held):
    print("before", evaluate(model, held))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(model(x), y).backward()
            optimizer.step()
        print(evaluate(model, held))  # <- missing-train-mode
# === a method of the network scores, and another function than the one that puts it into eval mode asks it
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 4)
        self.norm = nn.LayerNorm(4)
        self.drop = nn.Dropout(0.1)

    def forward(self, x, y):
        return F.mse_loss(self.drop(self.norm(self.embed(x))), y)

    def score(self, x, y):
        return F.mse_loss(self.norm(self.embed(x)), y, reduction="sum"), len(x)


def score_all(net, rows):
    total = count = 0
    at = 0
    while at < len(rows):
        x, y = rows[at]
        nll, size = net.score(x, y)  # <- validation-without-no-grad
        total += nll.item()
        count += size
        at += 1
    print(total / count)


def train(loader, rows):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    while True:
        net.train()
        for step, (x, y) in enumerate(loader):
            net.zero_grad()
            net(x, y).backward()
            optimizer.step()
            if step % 100 == 0:
                net.eval()
                score_all(net, rows)
                net.train()
# === right: the same without gradients
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 4)
        self.norm = nn.LayerNorm(4)
        self.drop = nn.Dropout(0.1)

    def forward(self, x, y):
        return F.mse_loss(self.drop(self.norm(self.embed(x))), y)

    def score(self, x, y):
        return F.mse_loss(self.norm(self.embed(x)), y, reduction="sum"), len(x)


@torch.no_grad()
def score_all(net, rows):
    return sum(net.score(x, y)[0].item() for x, y in rows)


def train(loader, rows):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    while True:
        net.train()
        for step, (x, y) in enumerate(loader):
            net.zero_grad()
            net(x, y).backward()
            optimizer.step()
            if step % 100 == 0:
                net.eval()
                print(score_all(net, rows))
                net.train()
# === right: a method of the network draws a few
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 4)
        self.drop = nn.Dropout(0.1)

    def forward(self, x, y):
        return F.mse_loss(self.drop(self.decode(x)), y)

    def decode(self, x):
        return self.embed(x)

    def sample(self, x):
        return self.decode(x)


def show(net, rows):
    for x in rows:
        print(net.sample(x))


def train(loader, rows):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(3):
        net.train()
        for x, y in loader:
            net.zero_grad()
            net(x, y).backward()
            optimizer.step()
        net.eval()
        show(net, rows)
# === right: a method of the network learns while dropout rests
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 4)
        self.drop = nn.Dropout(0.1)

    def forward(self, x, y):
        return F.mse_loss(self.drop(self.embed(x)), y)

    def fine(self, x, y):
        return F.mse_loss(self.embed(x), y)


def tune(net, optimizer, rows):
    for x, y in rows:
        optimizer.zero_grad()
        net.fine(x, y).backward()
        optimizer.step()


def train(loader, rows):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            net(x, y).backward()
            optimizer.step()
        net.eval()
        tune(net, optimizer, rows)
# === a test asks a method of the network, without a word of evaluation
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.users = nn.Embedding(10, 4)
        self.items = nn.Embedding(10, 4)

    def forward(self, user, one, other):
        users = self.users(user)
        return F.softplus((users * self.items(other)).sum(1) - (users * self.items(one)).sum(1)).mean()

    def rating(self, user):
        return self.users(user) @ self.items.weight.t()


def test(net, users):
    right = 0
    for user in users:
        right += int(net.rating(user).argmax())  # <- validation-without-no-grad
    return right


def train(loader, users):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(3):
        for user, one, other in loader:
            loss = net(user, one, other)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(test(net, users))
# === a method of the network tests it, without a word of evaluation
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 4)

    def forward(self, x, y):
        return F.mse_loss(self.embed(x), y)

    def test(self, rows):
        right = 0
        for x, y in rows:
            right += int((self.embed(x).argmax(1) == y).sum())  # <- validation-without-no-grad
        return right


def train(loader, rows):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(3):
        for x, y in loader:
            loss = net(x, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(net.test(rows))
# === right: what asks a method of the network is no test
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 4)

    def forward(self, x, y):
        return F.mse_loss(self.embed(x), y)

    def rank(self, x):
        return self.embed(x).argmax(1)


def remember(net, rows, memory):
    for x in rows:
        memory.add(net.rank(x))


def train(loader, rows, memory):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(3):
        remember(net, rows, memory)
        for x, y in loader:
            loss = net(x, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
# === right: a test asks a method of the network that switches gradients off
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 4)

    def forward(self, x, y):
        return F.mse_loss(self.embed(x), y)

    @torch.no_grad()
    def rank(self, x):
        return self.embed(x).argmax(1)


def test(net, rows):
    for x in rows:
        print(net.rank(x))


def train(loader, rows):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(3):
        for x, y in loader:
            loss = net(x, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        test(net, rows)
# === right: a network that searches its input by gradients is evaluated before it is trained
import torch
import torch.nn.functional as F


class Searching(torch.nn.Module):
    def __init__(self, net, turns):
        super().__init__()
        self.net, self.turns = net, turns

    def forward(self, x):
        z = torch.zeros(len(x), 8)
        for _ in range(self.turns):
            z = z.detach().requires_grad_()
            F.mse_loss(self.net(z), x).backward()
            z = z - 0.1 * z.grad
        return self.net(z.detach())


def run(net, loader, held, optimizer, epochs):
    model = Searching(net, 4)
    for x in held:
        F.mse_loss(model(x), x)
    for epoch in range(epochs):
        model.train()
        for x in loader:
            optimizer.zero_grad()
            F.mse_loss(model(x), x).backward()
            optimizer.step()
# === a helper adds for an evaluation and for the training, where each micro-batch clears
import torch.nn.functional as F


def add(model, x, y, share):
    (F.mse_loss(model(x), y) * share).backward()


def run(model, loader, held, optimizer, accum):
    for x, y in held:
        add(model, x, y, 1 / accum)
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()  # <- zero-grad-in-accumulation
        add(model, x, y, 1 / accum)
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
