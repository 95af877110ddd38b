import torch


def play(policy, field, turns):
    """One episode; returns its loss and what it earned."""
    policy.zero_grad(set_to_none=True)
    terms, earned = [], 0.0
    for _ in range(turns):
        choice = torch.distributions.Categorical(logits=policy(field.look()))
        action = choice.sample()
        pay = field.pay(int(action))
        terms.append(-choice.log_prob(action) * pay)
        earned += pay
    return torch.stack(terms).mean(), earned
