def decay(pair):
    for schedule in pair.schedules.values():
        schedule.step()


def announce(pair):
    print("-" * 12, *pair.optimizers)


HOOKS = {
    "epoch_begin": [announce],
    "epoch_done": [decay],
}


def fire(event, pair):
    for hook in HOOKS[event]:
        hook(pair)
