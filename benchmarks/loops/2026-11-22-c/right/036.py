import itertools

import torch
import torch.nn.functional as F

from taming import Codec, PatchCritic, crops

ACCUM = 4
codec, critic = Codec(), PatchCritic()
opt_codec = torch.optim.Adam(codec.parameters(), lr=4.5e-6, betas=(0.5, 0.9))
opt_critic = torch.optim.Adam(critic.parameters(), lr=4.5e-6, betas=(0.5, 0.9))
batches = itertools.cycle(crops("openimages", batch_size=3))

codec.train()
critic.train()
for update in range(100_000):
    opt_codec.zero_grad()
    for _ in range(ACCUM):
        image = next(batches)
        restored, commit = codec(image)

        critic.requires_grad_(False)
        fool = -critic(restored).mean()
        loss = F.l1_loss(restored, image) + commit + 0.1 * fool
        (loss / ACCUM).backward()
        critic.requires_grad_(True)

        hinge = F.relu(1 - critic(image)).mean() + F.relu(1 + critic(restored.detach())).mean()
        opt_critic.zero_grad()
        hinge.backward()
        opt_critic.step()
    opt_codec.step()
    if update % 200 == 0:
        print(f"{update} codec {loss.item():.4f} critic {hinge.item():.4f}")
    if update % 10_000 == 9_999:
        torch.save({"codec": codec.state_dict(), "critic": critic.state_dict()}, f"codec_{update + 1}.pt")
