from torch.nn.utils import clip_grad_norm_


def descend(agent, loss, max_norm):
    agent.optimizer.zero_grad()
    loss.backward()
    norm = clip_grad_norm_(agent.weights, max_norm)
    agent.optimizer.step()
    return norm.item()
