from functools import partial

import torch

from .nets import Heads, Trunk
from .stations import reports
from .tasks import MultiTask
from .updates import make_update

ACCUM = 4
EPOCHS = 2


def show_scale(scaler, every=4, seen=[]):
    seen.append(scaler.get_scale())
    if len(seen) % every == 0:
        print("scale", seen[-1])


def main():
    torch.manual_seed(23)
    trunk, heads = Trunk(), Heads()
    trunk_opt = torch.optim.SGD(trunk.parameters(), lr=0.1, momentum=0.9)
    heads_opt = torch.optim.Adam(heads.parameters(), lr=3e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
    tasks = MultiTask({"rain": 1.0, "wind": 0.5}, parts=ACCUM)
    update = make_update(
        trunk,
        prepare=partial(scaler.unscale_, trunk_opt),
        moves=[partial(scaler.step, trunk_opt), partial(scaler.step, heads_opt)],
        done=[scaler.update, trunk_opt.zero_grad, heads_opt.zero_grad],
    )
    for epoch in range(EPOCHS):
        data = reports(14)
        for i, (x, truth) in enumerate(data):
            loss = tasks(heads(trunk(x)), truth)
            scaler.scale(loss).backward()
            if (i + 1) % ACCUM == 0 or i + 1 == len(data):
                norm = update()
        show_scale(scaler)
        print(epoch, tasks.summary(), round(norm.item(), 5))


if __name__ == "__main__":
    main()
