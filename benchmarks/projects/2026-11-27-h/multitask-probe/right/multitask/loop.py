import torch

from multitask.guard import FiniteGuard


def run(net, tasks, batches, lr=0.1, max_norm=2.0):
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0)
    guard = FiniteGuard()

    def commit():
        scaler.step(opt)

    for n, (x, y) in enumerate(batches):
        opt.zero_grad()
        parts = [task.contribute(net, x, y, scaler.scale) for task in tasks]
        scaler.unscale_(opt)
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm).item()
        guard(norm, commit)
        scaler.update()
        if n % 10 == 0:
            print(n, [round(p, 4) for p in parts], round(norm, 4))
    return guard.refused
