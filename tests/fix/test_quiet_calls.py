"""One function trains and evaluates: its repair puts the call under `no_grad` that trains nothing, and no more."""

from __future__ import annotations

import pytest

from gradlint import fix_source

RUN = """\
import torch
import torch.nn.functional as F


def run(model, loader, optimizer=None):
    model.train(optimizer is not None)
    total = 0.0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item()
    return total


def fit(net, train, valid, explain):
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(10):
        run(net, train, optimizer)
"""


def test_the_call_that_trains_nothing_goes_under_no_grad() -> None:
    result = fix_source(RUN + "        print(run(net, valid))\n")
    assert result.text == RUN + "        with torch.no_grad():\n            print(run(net, valid))\n"


@pytest.mark.parametrize(
    "call",
    [
        "explain(run(net, valid), net)",  # it may ask for gradients, whatever `run` calls the network
        "print(run(net, valid), explain(model=net))",
    ],
)
def test_a_statement_that_hands_the_network_on_is_left_alone(call: str) -> None:
    assert fix_source(f"{RUN}        {call}\n", unsafe=True).text == f"{RUN}        {call}\n"


METHOD = """\
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())

    def run(self, loader, training):
        self.net.train(training)
        for x, y in loader:
            loss = F.cross_entropy(self.net(x), y)
            if training:
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()


def fit(net, train, valid, explain):
    trainer = Trainer(net)
    for _ in range(10):
        trainer.run(train, True)
"""


def test_what_an_object_holds_is_handed_on_by_another_name() -> None:
    source = f"{METHOD}        explain(trainer.run(valid, False), trainer.net)\n"
    assert fix_source(source, unsafe=True).text == source


def test_the_method_of_an_object_goes_under_no_grad() -> None:
    result = fix_source(f"{METHOD}        trainer.run(valid, False)\n")
    assert result.text == f"{METHOD}        with torch.no_grad():\n            trainer.run(valid, False)\n"
