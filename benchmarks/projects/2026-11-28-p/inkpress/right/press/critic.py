from torch.nn.functional import softplus


def improve_critic(writer, critic, optimizer, real):
    optimizer.zero_grad()
    fake = writer.sample(len(real)).detach()
    loss = softplus(-critic(real)).mean() + softplus(critic(fake)).mean()
    loss.backward()
    optimizer.step()
    return loss
