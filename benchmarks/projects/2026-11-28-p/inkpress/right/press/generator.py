from torch.nn.functional import softplus


def improve_generator(writer, critic, optimizer, count):
    optimizer.zero_grad()
    loss = softplus(-critic(writer.sample(count))).mean()
    loss.backward()
    optimizer.step()
    return loss
