from torch.nn.functional import softplus


def improve_critic(writer, critic, optimizer, real):
    fake = writer.sample(len(real)).detach()
    loss = softplus(-critic(real)).mean() + softplus(critic(fake)).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss
