# === what is called like no network is one: an optimizer has its parameters
import torch


def clear(optimizer):
    for group in optimizer.param_groups:
        for param in group["params"]:
            param.grad = None


class Learner:
    def __init__(self, policy, qf, kl_weight):
        self.policy, self._qf = policy, qf
        self.kl_weight = kl_weight
        self.encoder_optimizer = torch.optim.Adam(self.policy.encoder.parameters())
        self.qf_optimizer = torch.optim.Adam(self._qf.parameters())

    def update(self, loader):
        for obs, context, target in loader:
            actions, z = self.policy(obs, context)
            q = self._qf(torch.cat([obs, actions], dim=1), z)
            clear(self.encoder_optimizer)
            kl_loss = self.kl_weight * self.policy.compute_kl_div()
            kl_loss.backward(retain_graph=True)
            clear(self.qf_optimizer)
            qf_loss = torch.mean((q - target) ** 2)
            qf_loss.backward()
            self.qf_optimizer.step()
            self.encoder_optimizer.step()
# === what is called like no network loses what its own loss has left
import torch


def clear(optimizer):
    for group in optimizer.param_groups:
        for param in group["params"]:
            param.grad = None


class Learner:
    def __init__(self, policy, qf, kl_weight):
        self.policy, self._qf = policy, qf
        self.kl_weight = kl_weight
        self.encoder_optimizer = torch.optim.Adam(self.policy.encoder.parameters())
        self.qf_optimizer = torch.optim.Adam(self._qf.parameters())

    def update(self, loader):
        for obs, context, target in loader:
            actions, z = self.policy(obs, context)
            q = self._qf(torch.cat([obs, actions], dim=1), z)
            clear(self.encoder_optimizer)
            qf_loss = torch.mean((q - target) ** 2)
            qf_loss.backward()
            clear(self.qf_optimizer)  # <- zero-grad-before-step
            self.qf_optimizer.step()
            self.encoder_optimizer.step()
