from .episode import play


def improve(policy, field, optimizer, rate, episodes, turns):
    optimizer.zero_grad(set_to_none=True)
    earned = 0.0
    for _ in range(episodes):
        loss, pay = play(policy, field, turns)
        (loss / episodes).backward()
        earned += pay
    optimizer.step()
    rate.schedule.step()
    return earned / episodes
