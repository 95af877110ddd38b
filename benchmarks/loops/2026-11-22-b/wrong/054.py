import itertools

import torch
import torch.nn.functional as F
from torch import nn

from worldmodel.nets import ConvDecoder, ConvEncoder, RSSM, RewardHead


class WorldModel(nn.Module):
    def __init__(self, obs_shape, action_dim, cfg):
        super().__init__()
        self.cfg = cfg
        self.encoder = ConvEncoder(obs_shape)
        self.rssm = RSSM(self.encoder.dim, action_dim, cfg.deter, cfg.stoch)
        self.decoder = ConvDecoder(cfg.deter + cfg.stoch, obs_shape)
        self.reward = RewardHead(cfg.deter + cfg.stoch)
        self.all_params = itertools.chain(
            self.encoder.parameters(),
            self.rssm.parameters(),
            self.decoder.parameters(),
            self.reward.parameters(),
        )
        self.opt = torch.optim.Adam(self.all_params, lr=cfg.model_lr, eps=1e-7)

    def observe(self, obs, actions):
        embed = self.encoder(obs.flatten(0, 1)).unflatten(0, obs.shape[:2])
        return self.rssm.rollout(embed, actions)

    def losses(self, batch):
        post, prior, feat = self.observe(batch["obs"], batch["action"])
        recon = self.decoder(feat.flatten(0, 1)).unflatten(0, feat.shape[:2])
        kl = torch.distributions.kl_divergence(post, prior).sum(-1)
        return {
            "recon": F.mse_loss(recon, batch["obs"]),
            "reward": F.mse_loss(self.reward(feat), batch["reward"]),
            "kl": self.cfg.kl_scale * torch.clamp(kl, min=self.cfg.free_nats).mean(),
        }

    def update(self, batch):
        losses = self.losses(batch)
        loss = sum(losses.values())
        self.opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.all_params, self.cfg.grad_clip)
        self.opt.step()
        return {k: v.item() for k, v in losses.items()} | {"norm": float(norm)}


def train(cfg, replay, env):
    model = WorldModel(env.obs_shape, env.action_dim, cfg).to(cfg.device)
    model.train()
    for step in range(cfg.train_steps):
        metrics = model.update(replay.sample(cfg.batch, cfg.length))
        if step % cfg.log_every == 0:
            print(step, metrics)
