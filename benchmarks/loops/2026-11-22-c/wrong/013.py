import torch
import torch.nn.functional as F


class TranslationTrainer:
    def __init__(self, generator, critic, opt_g, opt_d, lambda_l1=100.0, max_norm=1.0):
        self.generator, self.critic = generator, critic
        self.opt_g, self.opt_d = opt_g, opt_d
        self.lambda_l1, self.max_norm = lambda_l1, max_norm
        self.scaler = torch.cuda.amp.GradScaler()

    def critic_loss(self, source, target, fake):
        real_score = self.critic(torch.cat([source, target], 1))
        fake_score = self.critic(torch.cat([source, fake.detach()], 1))
        return 0.5 * (F.relu(1 - real_score).mean() + F.relu(1 + fake_score).mean())

    def train_step(self, source, target):
        with torch.cuda.amp.autocast():
            fake = self.generator(source)
            loss_d = self.critic_loss(source, target, fake)
        self.opt_d.zero_grad()
        self.scaler.scale(loss_d).backward()
        self.scaler.unscale_(self.opt_d)
        torch.nn.utils.clip_grad_norm_(self.critic.parameters(), self.max_norm)

        self.critic.requires_grad_(False)
        with torch.cuda.amp.autocast():
            score = self.critic(torch.cat([source, fake], 1))
            loss_g = -score.mean() + self.lambda_l1 * F.l1_loss(fake, target)
        self.opt_g.zero_grad()
        self.scaler.scale(loss_g).backward()
        self.critic.requires_grad_(True)
        self.scaler.unscale_(self.opt_d)
        torch.nn.utils.clip_grad_norm_(self.generator.parameters(), self.max_norm)

        self.scaler.step(self.opt_d)
        self.scaler.step(self.opt_g)
        self.scaler.update()
        return {"d": loss_d.item(), "g": loss_g.item()}

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for source, target in loader:
                losses = self.train_step(source.cuda(), target.cuda())
            print(epoch, losses)
