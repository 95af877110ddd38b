from torch.nn.functional import cross_entropy, l1_loss


def kind_term(scaler, guess, kind, keep):
    loss = cross_entropy(guess.float(), kind)
    scaler.scale(loss).backward(retain_graph=keep)
    return loss.item()


def age_term(scaler, guess, age, weight):
    loss = weight * l1_loss(guess.float(), age)
    loss.backward()
    return loss.item()
