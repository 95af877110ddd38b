import torch

from vocoder.data import chunks
from vocoder.losses import adversarial, feature_distance, hinge
from vocoder.models import Discriminator, Upsampler
from vocoder.monitor import grad_norm
from vocoder.scaler import NativeScaler

CUDA = torch.cuda.is_available()
DEVICE = "cuda" if CUDA else "cpu"


def train(epochs=2, batches=10, clip=1.0):
    generator, disc = Upsampler().to(DEVICE), Discriminator().to(DEVICE)
    opt_g = torch.optim.AdamW(generator.parameters(), lr=5e-4, betas=(0.8, 0.99))
    opt_d = torch.optim.AdamW(disc.parameters(), lr=5e-4, betas=(0.8, 0.99))
    scaler_g, scaler_d = NativeScaler(CUDA), NativeScaler(CUDA)
    generator.train()
    disc.train()
    for epoch in range(epochs):
        for step, (mel, wave) in enumerate(chunks(batches, DEVICE)):
            with torch.autocast(DEVICE, dtype=torch.float16, enabled=CUDA):
                fake = generator(mel)
                loss_d = hinge(disc(wave), disc(fake.detach()))
            scaler_d.backward(loss_d)
            scaler_d(opt_d, disc.parameters(), clip)

            with torch.autocast(DEVICE, dtype=torch.float16, enabled=CUDA):
                loss_g = adversarial(disc(fake)) + 10 * feature_distance(fake, wave)
            scaler_g.backward(loss_g)
            norm = grad_norm(scaler_g, opt_g)
            scaler_g(opt_g, generator.parameters(), clip)
            if step % 5 == 0:
                print(f"epoch {epoch} step {step}: d {loss_d.item():.3f} g {loss_g.item():.3f} norm {norm:.2f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    train()
