import torch
from torch.nn.utils import clip_grad_norm_

from multimodal import AudioTower, ImageTower, clip_loss, pair_stream


def train(steps=30_000, device="cuda"):
    image_tower = ImageTower().to(device)
    audio_tower = AudioTower().to(device)
    logit_scale = torch.nn.Parameter(torch.tensor(2.66, device=device))
    image_opt = torch.optim.SGD(image_tower.parameters(), lr=1e-2, momentum=0.9)
    audio_opt = torch.optim.AdamW([*audio_tower.parameters(), logit_scale], lr=1e-4)
    optimizers = {"image": image_opt, "audio": audio_opt}
    scaler = torch.cuda.amp.GradScaler()

    for step, (image, audio) in enumerate(pair_stream(batch_size=512)):
        for opt in optimizers.values():
            opt.zero_grad(set_to_none=True)
        with torch.cuda.amp.autocast():
            loss = clip_loss(image_tower(image.to(device)), audio_tower(audio.to(device)), logit_scale.exp())
        scaler.scale(loss).backward()

        scaler.unscale_(image_opt)
        scaler.unscale_(audio_opt)
        clip_grad_norm_(image_tower.parameters(), 1.0)
        clip_grad_norm_(audio_tower.parameters(), 0.3)
        scaler.step(image_opt)
        scaler.step(audio_opt)
        scaler.update()

        if step % 200 == 0:
            print(step, loss.item(), scaler.get_scale())
        if step == steps:
            break
