import torch
import torch.nn.functional as F

from terms import regularise


class MicroBatch:
    def __init__(self, net, scaler, beta, accum):
        self.net, self.scaler = net, scaler
        self.beta, self.accum = beta, accum

    def __call__(self, x):
        self.net.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            recon, mu, logvar = self.net(x)
        mse = F.mse_loss(recon, x)
        kl = regularise(mu, logvar, self.beta, self.accum)
        self.scaler.scale(mse / self.accum).backward()
        return mse.item(), kl
