import argparse

import torch

from networks import Critic, Generator
from trainers import CriticTrainer, GeneratorTrainer


def real_batches(count, size):
    centers = torch.tensor([[2.0, 0.0], [-2.0, 0.0], [0.0, 2.0]])
    for _ in range(count):
        picks = torch.randint(0, len(centers), (size,))
        yield centers[picks] + 0.1 * torch.randn(size, 2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--noise", type=int, default=8)
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()
    torch.manual_seed(0)

    generator, critic = Generator(args.noise), Critic()
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0)
    gen_trainer = GeneratorTrainer(generator, critic, args.noise, args.lr, scaler)
    critic_trainer = CriticTrainer(critic, generator, args.noise, args.lr, scaler)
    for epoch in range(args.epochs):
        gen_trainer.start_epoch()
        critic_trainer.start_epoch()
        for real in real_batches(args.steps, args.batch_size):
            gen_trainer.update(real)
            critic_trainer.update(real)
        print(f"epoch {epoch}: critic {critic_trainer.report():.3f} generator {gen_trainer.report():.3f}")


if __name__ == "__main__":
    main()
