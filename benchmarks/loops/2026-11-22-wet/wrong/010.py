import torch
from torch.nn.utils import clip_grad_norm_


def learn(actor, critic, replay, cfg):
    pi_opt = torch.optim.Adam(actor.parameters(), lr=cfg.pi_lr)
    q_opt = torch.optim.Adam(critic.parameters(), lr=cfg.q_lr)
    scaler = torch.cuda.amp.GradScaler(init_scale=2.0**12)

    for it in range(cfg.iterations):
        obs, act, ret = replay.sample(cfg.batch_size)

        with torch.cuda.amp.autocast():
            q_loss = (critic(obs, act).squeeze(-1) - ret).pow(2).mean()
        q_opt.zero_grad()
        scaler.scale(q_loss).backward()
        scaler.unscale_(q_opt)
        clip_grad_norm_(critic.parameters(), cfg.grad_clip)
        scaler.step(q_opt)

        with torch.cuda.amp.autocast():
            pi_loss = -critic(obs, actor(obs)).mean()
        pi_opt.zero_grad()
        scaler.scale(pi_loss).backward()
        clip_grad_norm_(actor.parameters(), cfg.grad_clip)
        scaler.step(pi_opt)

        scaler.update()
        if it % cfg.log_every == 0:
            print(it, q_loss.item(), pi_loss.item())
