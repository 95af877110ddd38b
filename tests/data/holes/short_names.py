# === right: two optimizers by short names of their own, each clipped before its step
import torch


def play(gen, critic, opt_g, opt_c, batches, turns=2, parts=2):
    for n, real in enumerate(batches, 1):
        for share in real.chunk(parts):
            with torch.no_grad():
                fake = gen(torch.randn(len(share), 2))
            ((critic(fake).mean() - critic(share).mean()) / parts).backward()
        torch.nn.utils.clip_grad_norm_(critic.parameters(), 0.6)
        opt_c.step()
        if n % turns == 0:
            (-critic(gen(torch.randn(6, 2))).mean()).backward()
            opt_g.step()
        critic.zero_grad()
        gen.zero_grad()
# === right: a head and a body by short names
import torch


def train(body, head, opt_body, opt_head, loader):
    for x, y in loader:
        body.zero_grad()
        head.zero_grad()
        torch.nn.functional.mse_loss(head(body(x)), y).backward()
        torch.nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        opt_body.step()
        opt_head.step()
# === right: settings and counts that are called like one
import torch


def train(model, loader, opt_level, opt_steps, optimizer):
    for n, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y) * opt_level.weight
        loss.backward()
        optimizer.step()
        if n == opt_steps:
            break
# === a clip of the head behind its step
import torch


def train(body, head, opt_body, opt_head, loader):
    for x, y in loader:
        body.zero_grad()
        head.zero_grad()
        torch.nn.functional.mse_loss(head(body(x)), y).backward()
        opt_body.step()
        opt_head.step()
        torch.nn.utils.clip_grad_norm_(head.parameters(), 1.0)  # <- clip-after-step
# === nothing clears what the judge steps with
import torch


def train(judge, opt_j, loader):
    for x, y in loader:
        torch.nn.functional.mse_loss(judge(x), y).backward()
        opt_j.step()  # <- missing-zero-grad
