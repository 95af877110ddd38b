"""Loops that are mended, each beside a near miss that is left alone: what a safe repair changes, line by line."""

from __future__ import annotations

import difflib

import pytest

from gradlint.check.engine import fix_text
from gradlint.model.settings import Settings

TORCH = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n"
DDP = (
    TORCH
    + "import torch.distributed as dist\nfrom contextlib import ExitStack, nullcontext\n"
    + "from torch.nn.parallel import DistributedDataParallel as DDP\n\n\n"
)

SKIPS = (
    TORCH
    + """

class Worker:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.AdamW(net.parameters())
        self.scaler = torch.amp.GradScaler()

    def fit(self, batches):
        for features, labels in batches:
            with torch.autocast("cuda", dtype=torch.float16):
                loss = F.cross_entropy(self.net(features), labels)
            self.opt.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.opt)
            norm = nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            if not norm.isfinite():
                # this batch is lost
                continue
            self.scaler.step(self.opt)
            self.scaler.update()
"""
)

SYNCS = (
    DDP
    + """def train(net, loader, every, parallel):
    model = DDP(net) if parallel else net
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for number, (x, y) in enumerate(loader, 1):
        due = number % every == 0
        scope = model.no_sync if parallel and due else nullcontext
        with scope():
            (F.mse_loss(model(x), y) / every).backward()
        if due:
            opt.step()
            opt.zero_grad()
"""
)

STACKS = (
    DDP
    + """def train(first, second, loader, every):
    first, second = DDP(first), DDP(second)
    opt = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.1)
    for number, (x, y) in enumerate(loader):
        with ExitStack() as scopes:
            if number % every == every - 1:
                scopes.enter_context(first.no_sync())
                scopes.enter_context(second.no_sync())
            loss = F.mse_loss(second(first(x)), y) / every
            loss.backward()
        if number % every == every - 1:
            opt.step()
            opt.zero_grad()
"""
)

CHUNKS = (
    TORCH
    + """

def step(net, opt, chunks):
    for x, y in chunks:
        loss = F.l1_loss(net(x), y) / len(chunks)
        loss.backward()
    opt.zero_grad()
    opt.step()


def run(net, batches):
    opt = torch.optim.RMSprop(net.parameters())
    for batch in batches:
        step(net, opt, batch)
"""
)

MODES = (
    TORCH
    + """

@torch.no_grad()
def score(network, held_out):
    network.eval()
    return sum((network(x).argmax(-1) == y).float().mean() for x, y in held_out)


def fit(pupil, loader, held_out, epochs):
    opt = torch.optim.SGD(pupil.parameters(), lr=0.1)
    pupil.train()
    for epoch in range(epochs):
        for x, y in loader:
            loss = F.cross_entropy(pupil(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, score(pupil, held_out))
"""
)

CRITICS = (
    TORCH
    + """

class Pair:
    def __init__(self, maker, judge):
        self.maker, self.judge = maker, judge
        self.maker_opt = torch.optim.Adam(maker.parameters(), lr=2e-4)
        self.judge_opt = torch.optim.Adam(judge.parameters(), lr=2e-4)

    def fit(self, loader):
        for real in loader:
            made = self.maker(torch.randn_like(real))
            judged = F.softplus(-self.judge(real)).mean() + F.softplus(self.judge(made.detach())).mean()
            judged.backward()
            self.judge_opt.step()
            self.judge_opt.zero_grad()
            fooled = F.softplus(-self.judge(made)).mean()
            fooled.backward()
            self.maker_opt.step()
            self.maker_opt.zero_grad()
"""
)

LIBRARIES = (
    TORCH
    + """from accelerate import Accelerator


def fit(net, loader, args):
    accelerator = Accelerator(gradient_accumulation_steps=args.every)
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr)
    net, opt, loader = accelerator.prepare(net, opt, loader)
    seen = 0.0
    for tokens, labels in loader:
        with accelerator.accumulate(net):
            loss = F.cross_entropy(net(tokens), labels)
            seen += loss.item()
            loss = loss / args.every
            accelerator.backward(loss)
            opt.step()
            opt.zero_grad()
    return seen
"""
)

TAGGERS = (
    TORCH
    + """

def entropy(scores, tags):
    return F.nll_loss(scores.log_softmax(-1), tags)


class Tagger(nn.Module):
    def __init__(self, width, tags, k=1):
        super().__init__()
        self.body = nn.Linear(width, tags)
        self.criterion, self.k = nn.CrossEntropyLoss(), k

    def forward(self, words, tags):
        return self.criterion(self.body(words), tags)


def fit(loader, every):
    tagger = Tagger(12, 9)
    opt = torch.optim.Adam(tagger.parameters())
    for number, (words, tags) in enumerate(loader, start=1):
        loss = tagger(words, tags)
        loss.backward()
        if number % every == 0:
            opt.step()
            opt.zero_grad()
"""
)

RETURNS = (
    TORCH
    + """

class Learner:
    def __init__(self, net):
        self.net, self.opt = net, torch.optim.Adam(net.parameters())

    def learn(self, x, y):
        self.opt.zero_grad()
        error = F.mse_loss(self.net(x), y)
        error.backward()
        self.opt.step()
        return {"error": error, "size": len(x)}

    def fit(self, loader):
        history = []
        for x, y in loader:
            history.append(self.learn(x, y)["error"])
        return history
"""
)

COUPLES = (
    TORCH
    + """

def fit(front, back, loader):
    front_opt = torch.optim.SGD(front.parameters(), lr=0.1)
    back_opt = torch.optim.Adam(back.parameters())
    scaler = torch.amp.GradScaler()
    params = [*front.parameters(), *back.parameters()]
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.mse_loss(back(front(x)), y)
        scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_(params, 1.0)
        for opt in (front_opt, back_opt):
            scaler.step(opt)
        scaler.update()
        front_opt.zero_grad()
        back_opt.zero_grad()
"""
)
SPELLED = COUPLES.replace(
    "        for opt in (front_opt, back_opt):\n            scaler.step(opt)\n",
    "        scaler.step(front_opt)\n        scaler.step(back_opt)\n",
)

TERMS = (
    TORCH
    + """

def fit(solver, inner, border, start, epochs):
    opt = torch.optim.Adam(solver.parameters(), lr=1e-3)
    for _ in range(epochs):
        opt.zero_grad()
        residue = solver(inner).square().mean()
        residue.backward()
        edge = F.mse_loss(solver(border), torch.zeros_like(border))
        edge.backward()
        begin = F.mse_loss(solver(start), torch.ones_like(start))
        nn.utils.clip_grad_norm_(solver.parameters(), 1.0)
        begin.backward()
        opt.step()
"""
)
LOST = (
    TORCH
    + """

def fit(net, loader):
    opt = torch.optim.AdamW(net.parameters())
    for words, images in loader:
        said = F.cross_entropy(net(words), words[:, 0])
        said.backward()
        opt.zero_grad()
        seen = F.cross_entropy(net(images), images[:, 0])
        seen.backward()
        opt.step()
"""
)

CRITIC = (
    TORCH
    + """

def fit(critic, maker, loader):
    critic_opt = torch.optim.Adam(critic.parameters())
    maker_opt = torch.optim.Adam(maker.parameters())
    for real, noise in loader:
        critic.zero_grad()
        bce(critic(real), 1).backward()
        made = maker(noise)
        critic.zero_grad()
        bce(critic(made.detach()), 0).backward()
        critic_opt.step()
        maker.zero_grad()
        bce(critic(made), 1).backward()
        maker_opt.step()


def bce(score, truth):
    return F.binary_cross_entropy_with_logits(score, torch.full_like(score, truth))
"""
)
AHEAD = CRITIC.replace("        critic.zero_grad()\n        bce(critic(real)", "        bce(critic(real)")

EPOCHS = (
    TORCH
    + """

def fit(net, loader, epochs, k, updates):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    pace = torch.optim.lr_scheduler.CosineAnnealingLR(opt, updates)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            (F.cross_entropy(net(x), y) / k).backward()
            if (i + 1) % k == 0:
                opt.step()
                opt.zero_grad()
            pace.step()
"""
)
TOO_DEEP = (
    TORCH
    + """

def fit(net, draw, updates, k=4):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(updates):
        for _ in range(k):
            x, y = draw()
            loss = F.cross_entropy(net(x), y) / k
            loss.backward()
            opt.step()
        opt.zero_grad()
"""
)

NUMBERED = (
    TORCH
    + """

def fit(crowd, rates, loader):
    opts = [torch.optim.SGD(one.parameters(), lr=0.1 / (n + 1)) for n, one in enumerate(crowd)]
    for x, y in loader:
        for one, opt in zip(crowd, opts):
            opt.zero_grad()
            F.mse_loss(one(x), y).backward()
            opt.step()
            nn.utils.clip_grad_norm_(one.parameters(), 1.0)
"""
)
PAIRED = NUMBERED.replace("0.1 / (n + 1)) for n, one in enumerate(crowd)", "rate) for one, rate in zip(crowd, rates)")
MOVED = [
    "+            nn.utils.clip_grad_norm_(one.parameters(), 1.0)",
    "-            nn.utils.clip_grad_norm_(one.parameters(), 1.0)",
]

PACES = (
    TORCH
    + """from accelerate import Accelerator


class Runner:
    def __init__(self, net, loader, config):
        self.acc = Accelerator(gradient_accumulation_steps=config.every)
        opt = torch.optim.AdamW(net.parameters(), lr=config.lr)
        self.net, self.opt, self.loader = self.acc.prepare(net, opt, loader)
        self.pace = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt.optimizer, config.updates)

    def fit(self, epochs):
        for _ in range(epochs):
            for tokens, labels in self.loader:
                with self.acc.accumulate(self.net):
                    loss = F.cross_entropy(self.net(tokens), labels)
                    self.acc.backward(loss)
                    self.opt.step()
                    self.opt.zero_grad()
                self.pace.step()
"""
)
HANDED = (
    TORCH
    + """

def fit(accelerator, net, opt, pace, loader):
    for tokens, labels in loader:
        with accelerator.accumulate(net):
            loss = F.cross_entropy(net(tokens), labels)
            accelerator.backward(loss)
            opt.step()
            pace.step()
            opt.zero_grad()
"""
)

PHASES = (
    TORCH
    + """

def train(net, first, second, accum):
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for x, y in first:
        F.cross_entropy(net(x), y).backward()
        opt.step()
    opt.zero_grad()
    for number, (x, y) in enumerate(second, 1):
        (F.cross_entropy(net(x), y) / accum).backward()
        if number % accum == 0:
            opt.step()
            opt.zero_grad()
"""
)

TURNS = (
    TORCH
    + """

def play(actor, judge, memory, slow):
    actor_opt = torch.optim.Adam(actor.parameters())
    judge_opt = torch.optim.Adam(judge.parameters())
    for number in range(1000):
        state, value = memory.sample()
        error = F.mse_loss(judge(state), value)
        error.backward()
        judge_opt.step()
        if number % slow == 0:
            judge_opt.zero_grad()
            gain = -judge(actor(state)).mean()
            actor_opt.zero_grad()
            gain.backward()
            actor_opt.step()
"""
)

LOCALS = (
    DDP
    + """def mean_over_ranks(network):
    with torch.no_grad():
        for tensor in network.state_dict().values():
            dist.all_reduce(tensor)
            tensor.div_(dist.get_world_size())


def train(network, loader, every, apart):
    replica = DDP(network)
    opt = torch.optim.SGD(network.parameters(), lr=0.1)
    for number, (x, y) in enumerate(loader, 1):
        with replica.no_sync():
            loss = F.mse_loss(replica(x), y) / every
            loss.backward()
        if number % every == 0:
            opt.step()
            opt.zero_grad()
        if number % apart == 0:
            mean_over_ranks(network)
"""
)

ARMS = (
    TORCH
    + """

def train(net, loader, plain):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.mse_loss(net(x), y)
        (loss if plain else scaler.scale(loss)).backward()
        scaler.step(opt)
        scaler.update()
"""
)


NAMED = (
    TORCH
    + """

def build(width):
    nets = {
        "maker": nn.Sequential(nn.Linear(4, width), nn.ReLU()),
        "judge": nn.Sequential(nn.Linear(width, 1), nn.Tanh()),
    }
    return nets, {key: torch.optim.Adam(net.parameters()) for key, net in nets.items()}


def fit(batches):
    nets, solvers = build(8)
    maker, judge = nets["maker"], nets["judge"]
    for noise, real in batches:
        made = maker(noise)
        bound = judge(made.detach()).mean() - judge(real).mean()
        solvers["judge"].zero_grad()
        bound.backward()
        solvers["judge"].step()
        nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
        solvers["maker"].zero_grad()
        (-judge(made).mean()).backward()
        solvers["maker"].step()
"""
)

PARTS = (
    TORCH
    + """

class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(9, 4)
        self.rest = nn.Linear(4, 1)

    def forward(self, rows):
        return self.rest(self.table(rows))


def fit(batches, limits):
    ranker = Ranker()
    parts = {"table": ranker.table, "rest": ranker.rest}
    solvers = {key: torch.optim.SGD(part.parameters(), lr=0.1) for key, part in parts.items()}
    scaler = torch.amp.GradScaler()
    for rows, liked in batches:
        for solver in solvers.values():
            solver.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.mse_loss(ranker(rows), liked)
        scaler.scale(loss).backward()
        for key, solver in solvers.items():
            nn.utils.clip_grad_norm_(parts[key].parameters(), limits[key])
            scaler.step(solver)
        scaler.update()
"""
)

SUMS = (
    TORCH
    + """

def fit(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    total, count = 0.0, 0
    for x, y in loader:
        loss = F.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total, count = total + loss, count + 1
    return total / count
"""
)

FINITE = (
    TORCH
    + """

def fit(net, draw, updates, k=4):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(updates):
        opt.zero_grad()
        for _ in range(k):
            x, y = draw()
            loss = F.l1_loss(net(x), y) / k
            loss.backward()
            norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        if torch.isfinite(norm):
            opt.step()
        print(norm)
"""
)

HELD = """import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


class Worker:
    def __init__(self, data):
        self.net = DDP(nn.Linear(4, 1))
        self.rows = DataLoader(data, batch_size=2, sampler=DistributedSampler(data))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def once(self):
        for x, y in self.rows:
            self.opt.zero_grad()
            F.mse_loss(self.net(x), y).backward()
            self.opt.step()


def main(data):
    worker = Worker(data)
    for epoch in range(3):
        worker.once()
"""

INNER = (
    TORCH
    + """from copy import deepcopy


def adapt(net, rows):
    learner = deepcopy(net)
    inner = torch.optim.SGD(learner.parameters(), lr=0.1)
    for x, y in rows:
        F.mse_loss(learner(x), y).backward()
        inner.step()
    return learner


def fit(net, tasks):
    for rows, x, y in tasks:
        print(F.mse_loss(adapt(net, rows)(x), y).item())
"""
)


def changed(old: str, new: str, text: str) -> str:
    assert text.count(old) == 1
    return text.replace(old, new)


CLEARED_TWICE = """import torch
from accelerate import Accelerator


def train(args, net, data, schedule):
    accelerator = Accelerator(gradient_accumulation_steps=args.accum)
    opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
    loader = torch.utils.data.DataLoader(data, batch_size=4)
    net, opt, loader = accelerator.prepare(net, opt, loader)
    for x, y in loader:
        with accelerator.accumulate(net):
            opt.zero_grad()
            loss = net(x, y).mean()
            accelerator.backward(loss)
            opt.step()
            schedule.step()
            opt.zero_grad(set_to_none=True)
"""

BANK = (
    TORCH
    + """

def fit(net, batches, bank, parts):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, x in enumerate(batches):
        turn = i % parts
        (bank.near(turn, net(x)) / parts).backward()
        if turn == 0:
            opt.step()
            opt.zero_grad()
"""
)

STAGES = (
    TORCH
    + """

def fit(net, batches):
    net[0].requires_grad_(False)
    trained = filter(lambda p: p.requires_grad, net.parameters())
    opt = torch.optim.SGD(trained, lr=0.1)
    for i, (x, y) in enumerate(batches):
        if i == 90:
            net[0].requires_grad_(True)
            opt.add_param_group({"params": list(net[0].parameters())})
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        nn.utils.clip_grad_norm_(trained, 1.0)
        opt.step()
"""
)

ASKED = (
    TORCH
    + """

def fit(net, batches, most):
    opt = torch.optim.LBFGS(net.parameters())
    for x, y in batches:

        def closure():
            opt.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            return loss

        nn.utils.clip_grad_norm_(net.parameters(), most)
        opt.step(closure)
"""
)

JOINT = (
    TORCH
    + """

def fit(net, batches):
    body, head = torch.optim.SGD(net.body.parameters(), lr=0.1), torch.optim.SGD(net.head.parameters(), lr=1.0)
    scaler = torch.amp.GradScaler()
    for x, y in batches:
        for opt in (body, head):
            opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.mse_loss(net.head(net.body(x)), y)
        scaler.scale(loss).backward()
        scaler.unscale_(head)
        nn.utils.clip_grad_norm_([*net.body.parameters(), *net.head.parameters()], 1.0)
        for opt in (body, head):
            scaler.step(opt)
        scaler.update()
"""
)

RESTS = (
    TORCH
    + """

def begin(net):
    net.train()
    net.stem.eval()


def score(net, held):
    net.eval()
    with torch.no_grad():
        return sum(net(x).sum().item() for x in held)


def fit(net, batches, held):
    begin(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(9):
        for x, y in batches:
            opt.zero_grad()
            F.mse_loss(net(x), y).backward()
            opt.step()
        print(score(net, held))
"""
)

BARE = changed("        print(score(net, held))\n", "        print(score(net, held))\n        net.train\n", RESTS)

WOKEN = changed(
    "    net.train()\n    net.stem.eval()\n",
    "    net.train()\n    net.stem.eval()\n    print(net.stem)\n    net.stem.train()\n",
    RESTS,
)

WRAPPED = (
    TORCH
    + """

class Rising:
    def __init__(self, opt):
        self.inner = torch.optim.lr_scheduler.StepLR(opt, 10)

    def step(self):
        self.inner.step()


def fit(net, batches):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    rising = Rising(opt)
    for epoch in range(9):
        rising.step()
        for x, y in batches:
            opt.zero_grad()
            F.mse_loss(net(x), y).backward()
            opt.step()
"""
)

NOISE = (
    TORCH
    + """

def rate(opt):
    return opt.param_groups[0]["lr"]


def shake(net, opt):
    scale = 2 * rate(opt)
    with torch.no_grad():
        for p in net.parameters():
            p.add_(torch.randn_like(p), alpha=scale)


def fit(net, batches):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=90)
    for x, y in batches:
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        schedule.step()
        opt.step()
        shake(net, opt)
"""
)

MENDED = {
    "a count that others ask under its name": (
        BANK,
        ["-        if turn == 0:", "+        if (i + 1) % parts == 0:"],
    ),
    "a filter that lets more through when the optimizer has got it": (
        STAGES,
        [
            "-        nn.utils.clip_grad_norm_(trained, 1.0)",
            "+        nn.utils.clip_grad_norm_(filter(lambda p: p.requires_grad, net.parameters()), 1.0)",
        ],
    ),
    "a clip ahead of the closure that goes backward": (
        ASKED,
        [
            "+            nn.utils.clip_grad_norm_(net.parameters(), most)",
            "-        nn.utils.clip_grad_norm_(net.parameters(), most)",
        ],
    ),
    "two optimizers under one norm, of which one is unscaled": (
        JOINT,
        [
            "-        scaler.unscale_(head)",
            "+        for opt in (body, head):",
            "+            scaler.unscale_(opt)",
        ],
    ),
    "a part that a helper has put to sleep and woken again": (WOKEN, ["+        net.train()"]),
    "a schedule in an object of its own": (WRAPPED, ["-        rising.step()", "+        rising.step()"]),
    "a part that a helper has put to sleep": (RESTS, ["+        net.train()", "+        net.stem.eval()"]),
    "a bare `train` of a network with a part that sleeps": (
        BARE,
        ["-        net.train", "+        net.train()", "+        net.stem.eval()"],
    ),
    "noise as large as the step, by a rate that a helper tells": (
        NOISE,
        ["-        schedule.step()", "+        schedule.step()"],
    ),
    "a clip of the scaled gradients of optimizers that a loop names": (
        COUPLES,
        ["+        for opt in (front_opt, back_opt):", "+            scaler.unscale_(opt)"],
    ),
    "a clear in the window beside one behind the step": (CLEARED_TWICE, ["-            opt.zero_grad()"]),
    "a scaler that is not updated where a batch is skipped": (SKIPS, ["+                self.scaler.update()"]),
    "a scope that is chosen the wrong way round": (
        SYNCS,
        [
            "-        scope = model.no_sync if parallel and due else nullcontext",
            "+        scope = model.no_sync if parallel and not due else nullcontext",
        ],
    ),
    "a scope that is never left": (
        changed(
            "model.no_sync if parallel and due else nullcontext",
            "model.no_sync",
            changed(" if parallel else net", "", SYNCS),
        ),
        ["-        scope = model.no_sync", "+        scope = nullcontext if due else model.no_sync"],
    ),
    "a stack of scopes, entered the wrong way round": (
        STACKS,
        ["-            if number % every == every - 1:", "+            if number % every != every - 1:"],
    ),
    "a clear between the chunks and their step": (CHUNKS, ["+    opt.step()", "-    opt.step()"]),
    "a model that another function puts into evaluation mode by another name": (MODES, ["+        pupil.train()"]),
    "a model with a part that stays in evaluation mode": (
        changed("    pupil.train()\n", "    pupil.train()\n    pupil.stem.eval()\n", MODES),
        ["+        pupil.train()", "+        pupil.stem.eval()"],
    ),
    "a critic that is cleared before the other loss goes through it": (
        CRITICS,
        ["+            self.judge_opt.zero_grad()", "-            self.judge_opt.zero_grad()"],
    ),
    "a loss that is divided by the library, too": (LIBRARIES, ["-            loss = loss / args.every"]),
    "a network that computes its loss by a criterion that it holds": (
        TAGGERS,
        ["+        (loss / every).backward()", "-        loss.backward()"],
    ),
    "a network that computes its loss by a function of the file": (
        changed("self.criterion(self.body(words), tags)", "entropy(self.body(words), tags)", TAGGERS),
        ["+        (loss / every).backward()", "-        loss.backward()"],
    ),
    "a loss that a method goes back from, and returns": (
        RETURNS,
        [
            '+        return {"error": error.detach(), "size": len(x)}',
            '-        return {"error": error, "size": len(x)}',
        ],
    ),
    "a clip of the scaled gradients of two optimizers": (
        SPELLED,
        ["+        scaler.unscale_(back_opt)", "+        scaler.unscale_(front_opt)"],
    ),
    "a schedule of updates that Accelerate does not know": (
        PACES,
        [
            "+                if self.acc.sync_gradients:",
            "+                    self.pace.step()",
            "-                self.pace.step()",
        ],
    ),
    "a clip in front of the last of several losses": (
        TERMS,
        [
            "+        begin.backward()",
            "-        begin.backward()",
        ],
    ),
    "optimizers that are made by number": (NUMBERED, MOVED),
    "optimizers that are made in pairs": (PAIRED, MOVED),
    "a clear between two losses of a critic": (CRITIC, ["-        critic.zero_grad()"]),
    "the only clear of a critic between its two losses": (
        AHEAD,
        ["+        critic.zero_grad()", "-        critic.zero_grad()"],
    ),
    "a schedule of updates that moves for each micro-batch": (
        EPOCHS,
        ["+                pace.step()", "-            pace.step()"],
    ),
    "a step in each turn of a loop that clears nothing": (
        changed(" / k\n", "\n", TOO_DEEP),
        ["+            opt.zero_grad()"],
    ),
    "a clear between two losses": (LOST, ["+        opt.zero_grad()", "-        opt.zero_grad()"]),
    "a first phase that clears nothing, before one that does": (PHASES, ["+        opt.zero_grad()"]),
    "a critic that is cleared only where the actor has its turn: it may be meant to learn from both losses": (
        TURNS,
        [],
    ),
    "ranks that only make a log alike": (
        changed(
            "            mean_over_ranks(network)\n", "            dist.all_reduce(loss.detach())\n", LOCALS
        ).replace(
            "        for tensor in network.state_dict().values():\n            dist.all_reduce(tensor)\n"
            "            tensor.div_(dist.get_world_size())\n",
            "        print(network)\n",
        ),
        [
            "-        with replica.no_sync():",
            "+        with nullcontext() if number % every == 0 else replica.no_sync():",
        ],
    ),
    "a loss that is scaled on one of two ways": (
        ARMS,
        [
            "-        (loss if plain else scaler.scale(loss)).backward()",
            "+        scaler.scale(loss).backward()",
        ],
    ),
    "a limit behind the step of one of several networks in a dictionary": (
        NAMED,
        [
            "-        nn.utils.clip_grad_norm_(judge.parameters(), 1.0)",
            "+        nn.utils.clip_grad_norm_(judge.parameters(), 1.0)",
        ],
    ),
    "the parts of a network in a dictionary, each with its optimizer": (
        PARTS,
        ["+            scaler.unscale_(solver)"],
    ),
    "a sum that grows beside a count": (
        SUMS,
        ["-        total, count = total + loss, count + 1", "+        total, count = total + loss.detach(), count + 1"],
    ),
    "a norm of each micro-batch that the step hangs on": (
        FINITE,
        [
            "-            norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)",
            "+        norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)",
        ],
    ),
    "a norm of each micro-batch that is told": (
        changed("(net.parameters(), 1.0)\n", "(net.parameters(), 1.0)\n            print(norm)\n", FINITE),
        [
            "-            norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)",
            '+            norm = nn.utils.clip_grad_norm_(net.parameters(), float("inf"))',
            "+            nn.utils.clip_grad_norm_(net.parameters(), 1.0)",
        ],
    ),
    "a sampler that an object of the caller holds": (HELD, ["+        worker.rows.sampler.set_epoch(epoch)"]),
    "an optimizer that only its maker tells": (INNER, ["+        inner.zero_grad()"]),
}
"""What is done to a loop."""

LEFT = {
    "a filter that lets through what the optimizer has not got": changed(
        '            opt.add_param_group({"params": list(net[0].parameters())})\n', "", STAGES
    ),
    "a count that is made behind the guard": changed(
        "        turn = i % parts\n        (bank.near(turn, net(x)) / parts).backward()\n        if turn == 0:\n"
        "            opt.step()\n            opt.zero_grad()\n",
        "        (bank.near(turn, net(x)) / parts).backward()\n        if turn == 0:\n            opt.step()\n"
        "            opt.zero_grad()\n        turn = i % parts\n",
        BANK.replace("    for i, x in", "    turn = 0\n    for i, x in"),
    ),
    "a count that is another one by then": changed("        (bank.near", "        i += 1\n        (bank.near", BANK),
    "a clip in the closure": changed(
        "            loss.backward()\n            return loss\n\n"
        "        nn.utils.clip_grad_norm_(net.parameters(), most)\n",
        "            loss.backward()\n            nn.utils.clip_grad_norm_(net.parameters(), most)\n"
        "            return loss\n\n",
        ASKED,
    ),
    "a scaler that is updated before a batch is skipped": changed(
        "                # this batch is lost\n", "                self.scaler.update()\n", SKIPS
    ),
    "a batch that is skipped before its gradients are unscaled": changed(
        "            self.scaler.unscale_(self.opt)\n"
        "            norm = nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)\n"
        "            if not norm.isfinite():",
        "            if not loss.isfinite():",
        SKIPS,
    ),
    "a scope that hangs on more than the window": changed("parallel and due", "parallel or due", SYNCS),
    "a scope that is chosen the right way round": changed("and due", "and not due", SYNCS),
    "a stack that is entered for another reason, too": changed(
        "            if number % every == every - 1:\n                scopes",
        "            if number % every == every - 1 and x.ndim:\n                print(number)\n                scopes",
        STACKS,
    ),
    "a clear in front of the chunks": changed(
        "    opt.zero_grad()\n    opt.step()",
        "    opt.step()",
        changed("    for x, y in chunks", "    opt.zero_grad()\n    for x, y in chunks", CHUNKS),
    ),
    "an optimizer that makes its states with a step on nothing": CHUNKS.replace(
        "    opt.zero_grad()\n    opt.step()", "    opt.step()\n    opt.zero_grad()"
    )
    + "\n\ndef warm(net):\n    opt = torch.optim.Adam(net.parameters())\n    opt.zero_grad()\n    opt.step()\n",
    "a function that goes back to training mode": changed(
        "    return sum(",
        "    right = sum(",
        changed("for x, y in held_out)\n", "for x, y in held_out)\n    network.train()\n    return right\n", MODES),
    ),
    "a model with a part that may stay in evaluation mode": changed(
        "    pupil.train()\n", "    pupil.train()\n    if pupil.frozen:\n        pupil.stem.eval()\n", MODES
    ),
    "a critic that gets no gradients of the other loss": changed(
        "            fooled = F",
        "            self.judge.requires_grad_(False)\n            fooled = F",
        changed("            made = ", "            self.judge.requires_grad_(True)\n            made = ", CRITICS),
    ),
    "a critic that is cleared with the other network": changed(
        "self.maker_opt.step()\n", "self.maker_opt.step()\n            self.judge.zero_grad()\n", CRITICS
    ),
    "two optimizers of one network that take turns": TORCH
    + """

def fit(net, loader):
    coarse = torch.optim.SGD(net.parameters(), lr=0.1)
    fine = torch.optim.Adam(net.parameters())
    for x, y in loader:
        F.mse_loss(net(x), y).backward()
        coarse.step()
        coarse.zero_grad()
        F.l1_loss(net(x), y).backward()
        fine.step()
        fine.zero_grad()
""",
    "a loss that is shown as it is divided": changed(
        "            opt.step()\n", "            print(loss.item() * args.every)\n            opt.step()\n", LIBRARIES
    ),
    "a loss that is divided by something else": changed("loss / args.every", "loss / args.heads", LIBRARIES),
    "two optimizers of which one means both losses": TORCH
    + """

def fit(coder, maker, loader):
    code_opt = torch.optim.Adam(coder.parameters())
    make_opt = torch.optim.Adam(maker.parameters())
    for x, y in loader:
        code_opt.zero_grad()
        make_opt.zero_grad()
        made = maker(coder(x))
        F.mse_loss(made, y).backward(retain_graph=True)
        code_opt.step()
        F.l1_loss(coder(made), coder(x).detach()).backward()
        make_opt.step()
""",
    "a network whose criterion sums": changed("nn.CrossEntropyLoss()", "nn.CrossEntropyLoss(reduction='sum')", TAGGERS),
    "a network that divides its loss": changed(
        "self.criterion(self.body(words), tags)", "self.criterion(self.body(words), tags) / self.k", TAGGERS
    ),
    "a loss that is kept for another backward": changed(
        "error.backward()", "error.backward(retain_graph=True)", RETURNS
    ),
    "a loss that may be something else when it is returned": changed(
        "        return {", "        if self.net.quiet:\n            error = None\n        return {", RETURNS
    ),
    "a clip of the scaled gradients of optimizers that a loop names and steps now and then": changed(
        "            scaler.step(opt)", "            if len(y) > 1:\n                scaler.step(opt)", COUPLES
    ),
    "a clip of gradients of two optimizers that are unscaled": changed(
        "        nn.utils.clip",
        "        scaler.unscale_(front_opt)\n        scaler.unscale_(back_opt)\n        nn.utils.clip",
        SPELLED,
    ),
    "a schedule of micro-batches that Accelerate does not know": changed(
        "config.updates)", "config.epochs * len(loader))", PACES
    ),
    "a clear of what another network's loss has left in a critic": changed(
        "        critic.zero_grad()\n        bce(critic(made.detach()), 0)",
        "        bce(critic(made.detach()), 0)",
        CRITIC,
    ),
    "a critic whose first loss is looked at": changed(
        "        made = maker(noise)\n", "        made = maker(noise)\n        log_gradients(critic)\n", CRITIC
    ),
    "a schedule that may count epochs": changed("CosineAnnealingLR(opt, updates)", "StepLR(opt, 1)", EPOCHS),
    "a step that stands one loop too deep": TOO_DEEP,
    "a first loss that is clipped alone": changed(
        "        edge = F.mse_loss(solver(border), torch.zeros_like(border))\n        edge.backward()\n", "", TERMS
    ),
    "a clip of all losses but that of another network": changed("solver(start)", "frozen(start)", TERMS),
    "a clip of other networks than those of optimizers that are made by number": changed(
        "clip_grad_norm_(one.parameters()", "clip_grad_norm_(rates.parameters()", NUMBERED
    ),
    "two losses of which an attack looks at the first": changed(
        "        opt.zero_grad()\n        seen",
        "        words = words + 0.1 * words.grad.sign()\n        opt.zero_grad()\n        seen",
        LOST,
    ),
    "two losses of which the first is for a report": changed(
        "        opt.zero_grad()\n        seen",
        "        log_gradients(net)\n        opt.zero_grad()\n        seen",
        LOST,
    ),
    "two losses of a step in two halves": changed(
        "        opt.zero_grad()\n        seen", "        opt.first_step(zero_grad=True)\n        seen", LOST
    ),
    "a clear that gives up the first loss now and then": changed(
        "        opt.zero_grad()\n        seen",
        "        if said > 9:\n            opt.zero_grad()\n        seen",
        LOST,
    ),
    "a schedule that may be prepared": HANDED,
    "a schedule that Accelerate moves": changed(
        "self.pace = torch", "self.pace = self.acc.prepare(torch", PACES
    ).replace("config.updates)", "config.updates))"),
    "a critic that is cleared now and then": changed(
        "            gain = ",
        "        if number % slow == 1:\n            gain = ",
        TURNS,
    ),
    "local steps that are averaged over the ranks by hand": LOCALS,
    "local steps that a library averages": changed(
        "            mean_over_ranks(network)\n",
        "            averager.average_parameters(network.parameters())\n",
        LOCALS,
    ),
    "a loss that a choice has scaled before": changed(
        "        (loss if plain else scaler.scale(loss)).backward()",
        "        loss = loss if plain else scaler.scale(loss)\n        loss.backward()",
        ARMS,
    ),
    "a limit before the step of one of several networks in a dictionary": changed(
        'solvers["judge"].step()\n        nn.utils.clip_grad_norm_(judge.parameters(), 1.0)',
        'nn.utils.clip_grad_norm_(judge.parameters(), 1.0)\n        solvers["judge"].step()',
        NAMED,
    ),
    "a limit of another network than those of the optimizers": changed(
        "(judge.parameters()", "(other.parameters()", NAMED
    ),
    "the parts of a network in a dictionary, with the scale off": changed(
        "GradScaler()", "GradScaler(enabled=False)", PARTS
    ),
    "a sum of numbers that grows beside a count": changed("total + loss,", "total + loss.item(),", SUMS),
    "a loss that is kept beside a count": changed("total + loss,", "loss,", SUMS),
    "a limit of each micro-batch that is told the norm": changed(
        "            norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n",
        "            norm = nn.utils.clip_grad_norm_(net.parameters(), bound())\n            print(norm)\n",
        FINITE,
    ),
    "a sampler that its object tells the epoch": changed(
        "        for x, y in self.rows:",
        "        self.turn += 1\n        self.rows.sampler.set_epoch(self.turn)\n        for x, y in self.rows:",
        HELD,
    ),
    "a copy that is cleared by itself": changed(
        "        inner.step()", "        inner.step()\n        learner.zero_grad()", INNER
    ),
}
"""What is let be."""


def difference(name: str, text: str) -> list[str]:
    """The lines that safe repairs change."""
    repaired = fix_text(text, f"{name}.py", Settings()).text
    lines = difflib.unified_diff(text.splitlines(), repaired.splitlines(), lineterm="", n=0)
    return [line for line in list(lines)[2:] if not line.startswith("@@")]


@pytest.mark.parametrize("name", MENDED)
def test_a_mistake_is_mended(name: str) -> None:
    text, lines = MENDED[name]
    assert sorted(difference(name, text)) == sorted(lines)


@pytest.mark.parametrize("name", LEFT)
def test_a_near_miss_is_left_alone(name: str) -> None:
    assert difference(name, LEFT[name]) == []


def test_a_clear_that_stands_behind_the_step_is_not_put_there_again() -> None:
    """Only what an epoch leaves over needs a clear ahead of the loop."""
    text = (
        TORCH
        + """

def train(model, loader, accum, epochs):
    optimizer = torch.optim.AdamW(model.parameters())
    for epoch in range(epochs):
        for step, (x, y) in enumerate(loader):
            optimizer.zero_grad()
            F.mse_loss(model(x), y).backward()
            if (step + 1) % accum == 0:
                optimizer.step()
                optimizer.zero_grad()
"""
    )
    fixed = fix_text(text, "train.py", Settings()).text
    assert fixed.count("optimizer.zero_grad()") == 2
    assert "epochs):\n        optimizer.zero_grad()\n        for step" in fixed


TWO_RATES = """import torch


def main(args, one, two, loader):
    first = torch.optim.SGD(one.parameters(), lr=0.1)
    second = torch.optim.SGD(two.parameters(), lr=0.1)
    slow = torch.optim.lr_scheduler.CosineAnnealingLR(first, 10)
    fast = torch.optim.lr_scheduler.CosineAnnealingLR(second, 10)
    for epoch in range(args.epochs):
        if args.cosine:
            slow.step()
            fast.step()
        {other}
        for x, y in loader:
            for net, opt in ((one, first), (two, second)):
                opt.zero_grad()
                torch.nn.functional.mse_loss(net(x), y).backward()
                opt.step()
        print(epoch)
"""
BEHIND = "        print(epoch)\n        if args.cosine:\n            slow.step()\n            fast.step()\n"


@pytest.mark.parametrize(
    ("other", "left"),
    [
        ("else:\n            print('constant')", "if args.cosine:\n            pass\n        else:"),
        ("print('an epoch')", "epochs):\n        print('an epoch')"),
    ],
)
def test_two_schedules_go_behind_the_steps_together(other: str, left: str) -> None:
    """One of two that stayed would run an epoch ahead; where another way is left, the first has nothing to do."""
    fixed = fix_text(TWO_RATES.replace("{other}", other), "train.py", Settings()).text
    assert fixed.endswith(BEHIND)
    assert left in fixed
    assert fixed.count("slow.step()") == fixed.count("fast.step()") == 1
