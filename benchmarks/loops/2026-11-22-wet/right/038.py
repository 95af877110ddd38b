import torch


class Agent:
    def __init__(self, encoder, policy, value, lr):
        self.encoder, self.policy, self.value = encoder, policy, value
        self.optimizer = torch.optim.Adam(self.parameters(), lr=lr)

    def parameters(self):
        for module in (self.encoder, self.policy, self.value):
            yield from module.parameters()

    def losses(self, batch, clip, value_weight, entropy_weight):
        state = self.encoder(batch.obs)
        distribution = torch.distributions.Categorical(logits=self.policy(state))
        ratio = (distribution.log_prob(batch.action) - batch.log_prob).exp()
        surrogate = torch.min(ratio * batch.advantage, ratio.clamp(1 - clip, 1 + clip) * batch.advantage)
        value_loss = (self.value(state).squeeze(-1) - batch.returns).square().mean()
        return {
            "policy": -surrogate.mean(),
            "value": value_weight * value_loss,
            "entropy": -entropy_weight * distribution.entropy().mean(),
        }


def learn(agent, collect, cfg):
    for iteration in range(cfg.iterations):
        rollout = collect(agent, cfg.horizon)
        for _ in range(cfg.epochs):
            for batch in rollout.minibatches(cfg.batch_size):
                losses = agent.losses(batch, cfg.clip, cfg.value_weight, cfg.entropy_weight)
                loss = sum(losses.values())
                agent.optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(agent.parameters(), cfg.max_norm)
                agent.optimizer.step()
        print(iteration, {name: value.item() for name, value in losses.items()})
