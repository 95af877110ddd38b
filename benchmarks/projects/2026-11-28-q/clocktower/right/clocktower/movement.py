from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

from clocktower.gears import release, tick


def wind(works, weights, optimizer, pendulum, beats, turns, limit):
    for turn in range(turns):
        pendulum.swing()
        release(optimizer)
        drift = 0.0
        for angle, height in beats:
            loss = F.mse_loss(works(angle), height)
            loss.backward()
            clip_grad_norm_(weights, limit)
            tick(optimizer)
            drift += loss.item()
        print(f"turn {turn}: rate {pendulum.rate():.3f} drift {drift / len(beats):.4f}")
