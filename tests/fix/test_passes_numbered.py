"""Each pass over a sampler has a number of its own: by the loops around, or by a count; and where nobody can say."""

from __future__ import annotations

import difflib
import textwrap

import pytest

from gradlint.check.engine import fix_text
from gradlint.model.settings import Settings

HEAD = """import copy
import itertools
import torch
from torch.nn import functional as F
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler
from tqdm import tqdm, trange

ROUNDS, EPOCHS = 3, 2


def once(net, loader, opt):
    for x, y in loader:
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        opt.step()


"""
FIT = """def fit(net, data, args, rounds, epochs, stages):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, sampler=sampler)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
"""
CLIENT = """class Client:
    def __init__(self, net, data, epochs):
        self.net, self.epochs = net, epochs
        self.sampler = DistributedSampler(data)
        self.loader = DataLoader(data, sampler=self.sampler)
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

"""


def loop(body: str) -> str:
    return HEAD + FIT + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n"


def whole(text: str) -> str:
    return HEAD + textwrap.dedent(text).strip("\n") + "\n"


def nested(outer: str, inner: str) -> str:
    return loop(f"for {outer}:\n    print(opt)\n    for {inner}:\n        once(net, loader, opt)")


TOLD = {
    "constants": (nested("number in range(ROUNDS)", "epoch in range(EPOCHS)"), "number * EPOCHS + epoch"),
    "parameters": (nested("turn in range(rounds)", "epoch in range(epochs)"), "turn * epochs + epoch"),
    "settings": (nested("turn in range(args.rounds)", "e in range(args.epochs)"), "turn * args.epochs + e"),
    "literals": (nested("turn in range(3)", "e in range(4)"), "turn * 4 + e"),
    "from two numbers": (nested("turn in range(3)", "e in range(2, 6)"), "turn * 4 + e"),
    "from one": (nested("turn in range(1, 4)", "e in range(1, epochs + 1)"), "turn * epochs + e"),
    "with a bar": (nested("turn in trange(3)", "e in tqdm(range(epochs))"), "turn * epochs + e"),
    "numbered stages": (nested("turn, stage in enumerate(stages)", "e in range(epochs)"), "turn * epochs + e"),
    "an unnamed turn": (nested("_ in range(rounds)", "e in range(epochs)"), "epoch * epochs + e"),
    "two unnamed": (nested("_ in range(rounds)", "_ in range(epochs)"), "epoch * epochs + epoch_number"),
    "three loops": (
        loop(
            """
            for a in range(2):
                for b in range(rounds):
                    for c in range(epochs):
                        once(net, loader, opt)
            """
        ),
        "(a * rounds + b) * epochs + c",
    ),
    "a while around": (
        loop(
            """
            turn = 0
            while turn < rounds:
                for epoch in range(epochs):
                    once(net, loader, opt)
                turn += 1
            """
        ),
        "turn * epochs + epoch",
    ),
    "an attribute": (
        whole(
            CLIENT
            + """
    def fit(self, epochs):
        for self.turn in range(epochs):
            once(self.net, self.loader, self.opt)
"""
        ),
        "self.turn",
    ),
    "a helper that is handed the turn": (
        whole(
            """
            def work(net, loader, opt, number, epochs):
                for epoch in range(epochs):
                    once(net, loader, opt)


            def fit(net, data):
                loader = DataLoader(data, sampler=DistributedSampler(data))
                opt = torch.optim.SGD(net.parameters(), lr=0.1)
                for turn in range(ROUNDS):
                    work(net, loader, opt, turn, EPOCHS)
            """
        ),
        "number * epochs + epoch",
    ),
    "a method that is handed the turn": (
        whole(
            CLIENT
            + """
    def work(self, number):
        for epoch in range(self.epochs):
            once(self.net, self.loader, self.opt)


def fit(net, data):
    client = Client(net, data, 2)
    for turn in range(4):
        client.work(number=turn)
            """
        ),
        "number * self.epochs + epoch",
    ),
}

COUNTED = {
    "a bound of each turn": nested("turn, count in enumerate(stages)", "e in range(count)"),
    "a bound that grows": loop(
        """
        for turn in range(rounds):
            for e in range(epochs):
                once(net, loader, opt)
            epochs += 1
        """
    ),
    "a turn that is set": loop(
        """
        for turn in range(rounds):
            turn = turn % 2
            for e in range(epochs):
                once(net, loader, opt)
        """
    ),
    "stages": nested("stage in stages", "e in range(epochs)"),
    "a settings object that is changed": whole(
        FIT
        + """    for turn in range(rounds):
        args.epochs = 2 + turn
        for e in range(args.epochs):
            once(net, loader, opt)
"""
    ),
    "a global that is changed": whole(
        """
        def longer():
            global EPOCHS
            EPOCHS += 1


        """
        + FIT.replace("\n", "\n        ")
        + """    for turn in range(rounds):
                longer()
                for e in range(EPOCHS):
                    once(net, loader, opt)
        """
    ),
    "rates": loop("for rate in (0.1, 0.01):\n    opt.param_groups[0]['lr'] = rate\n    once(net, loader, opt)"),
    "a limit of steps": loop(
        """
        step = 0
        while step < rounds:
            for x, y in loader:
                opt.zero_grad()
                F.mse_loss(net(x), y).backward()
                opt.step()
                step += 1
        """
    ),
    "an endless generator": whole(
        """
        def feed(source):
            while True:
                for batch in source:
                    yield batch


        def fit(net, data, total):
            opt = torch.optim.SGD(net.parameters(), lr=0.1)
            loader = DataLoader(data, sampler=DistributedSampler(data))
            batches = feed(loader)
            for step in range(total):
                x, y = next(batches)
                opt.zero_grad()
                F.mse_loss(net(x), y).backward()
                opt.step()
        """
    ),
    "a method that never ends": whole(
        CLIENT
        + """
    def feed(self):
        while True:
            for batch in self.loader:
                yield batch

    def fit(self, total):
        feed = self.feed()
        for step in range(total):
            x, y = next(feed)
            self.opt.zero_grad()
            F.mse_loss(self.net(x), y).backward()
            self.opt.step()
"""
    ),
}

LEFT = {
    "a helper that is not handed the turn": whole(
        """
        def work(net, loader, opt):
            for epoch in range(EPOCHS):
                once(net, loader, opt)


        def fit(net, data):
            loader = DataLoader(data, sampler=DistributedSampler(data))
            opt = torch.optim.SGD(net.parameters(), lr=0.1)
            for turn in range(ROUNDS):
                work(net, loader, opt)
        """
    ),
    "a helper that is called twice": whole(
        """
        def work(net, loader, opt, number):
            for epoch in range(EPOCHS):
                once(net, loader, opt)


        def fit(net, data):
            loader = DataLoader(data, sampler=DistributedSampler(data))
            opt = torch.optim.SGD(net.parameters(), lr=0.1)
            for turn in range(ROUNDS):
                work(net, loader, opt, turn)
                work(net, loader, opt, turn)
        """
    ),
    "a helper with a bound of each turn": whole(
        """
        def work(net, loader, opt, number, epochs):
            for epoch in range(epochs):
                once(net, loader, opt)


        def fit(net, data, stages):
            loader = DataLoader(data, sampler=DistributedSampler(data))
            opt = torch.optim.SGD(net.parameters(), lr=0.1)
            for turn, epochs in enumerate(stages):
                work(net, loader, opt, turn, epochs)
        """
    ),
    "each turn from the same start": loop(
        """
        start = copy.deepcopy(net.state_dict())
        for turn in range(rounds):
            net.load_state_dict(start)
            for epoch in range(epochs):
                once(net, loader, opt)
        """
    ),
    "a network for each turn": loop(
        """
        for turn in range(rounds):
            member = copy.deepcopy(net)
            opt = torch.optim.SGD(member.parameters(), lr=0.1)
            for epoch in range(epochs):
                once(member, loader, opt)
        """
    ),
    "two passes in each turn of the inner loop": loop(
        """
        for turn in range(rounds):
            for epoch in range(epochs):
                once(net, loader, opt)
                once(net, loader, opt)
        """
    ),
    "a pass beside the inner loop": loop(
        """
        for turn in range(rounds):
            once(net, loader, opt)
            for epoch in range(epochs):
                once(net, loader, opt)
        """
    ),
    "a generator that begins anew": whole(
        """
        def feed(source):
            while True:
                for batch in source:
                    yield batch


        def fit(net, data, total, epochs):
            opt = torch.optim.SGD(net.parameters(), lr=0.1)
            loader = DataLoader(data, sampler=DistributedSampler(data))
            for epoch in range(epochs):
                batches = feed(loader)
                for step in range(total):
                    x, y = next(batches)
                    opt.zero_grad()
                    F.mse_loss(net(x), y).backward()
                    opt.step()
        """
    ),
    "a generator of two loaders": whole(
        """
        def feed(source):
            while True:
                for batch in source:
                    yield batch


        def fit(net, data, other, total):
            opt = torch.optim.SGD(net.parameters(), lr=0.1)
            loader = DataLoader(data, sampler=DistributedSampler(data))
            more = feed(DataLoader(other))
            batches = feed(loader)
            for step in range(total):
                x, y = next(batches)
                opt.zero_grad()
                (F.mse_loss(net(x), y) + net(next(more)).mean()).backward()
                opt.step()
        """
    ),
    "a wrapper of a wrapper": whole(
        """
        class Ahead:
            def __init__(self, source):
                self.source = source

            def __iter__(self):
                for batch in self.source:
                    yield batch


        def fit(net, data, epochs):
            opt = torch.optim.SGD(net.parameters(), lr=0.1)
            feed = Ahead(Ahead(DataLoader(data, sampler=DistributedSampler(data))))
            for epoch in range(epochs):
                for x, y in feed:
                    opt.zero_grad()
                    F.mse_loss(net(x), y).backward()
                    opt.step()
        """
    ),
}


def mended(text: str) -> list[str]:
    after = fix_text(text, "t.py", Settings()).text
    changes = list(difflib.unified_diff(text.splitlines(), after.splitlines(), lineterm="", n=0))[2:]
    return [one for one in changes if not one.startswith("@@")]


@pytest.mark.parametrize(("text", "number"), TOLD.values(), ids=TOLD)
def test_loops_number_a_pass(text: str, number: str) -> None:
    added = [one for one in mended(text) if "set_epoch(" in one]
    assert [one.partition(".set_epoch(")[2] for one in added] == [f"{number})"]


@pytest.mark.parametrize("text", COUNTED.values(), ids=COUNTED)
def test_passes_are_counted(text: str) -> None:
    first, told, raised = mended(text)
    assert first.split() in (["+", "epoch", "=", "0"], ["+epoch", "=", "0"])
    assert told.strip("+ ").endswith("sampler.set_epoch(epoch)")
    assert raised.strip("+ ") == "epoch += 1"
    assert first.index("e") < told.index(told.strip("+ ")) == raised.index("e")


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_nobody_can_say_which_pass_it_is(text: str) -> None:
    assert not mended(text)


def test_a_wrapper_has_the_loader() -> None:
    text = LEFT["a wrapper of a wrapper"].replace(
        "Ahead(Ahead(DataLoader(data, sampler=DistributedSampler(data))))",
        "Ahead(DataLoader(data, sampler=DistributedSampler(data)))",
    )
    text = text.replace(
        "        for x, y in feed",
        "        for group in opt.param_groups:\n            group['lr'] *= 0.9\n        for x, y in feed",
    )
    assert mended(text) == ["+        feed.source.sampler.set_epoch(epoch)"]
