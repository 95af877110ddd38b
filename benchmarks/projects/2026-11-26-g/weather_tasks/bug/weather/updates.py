from torch.nn.utils import clip_grad_norm_


def make_update(trunk, prepare, moves, done, limit=0.5):
    def update():
        prepare()
        norm = clip_grad_norm_(trunk.parameters(), limit)
        for move in moves:
            move()
        for close in done:
            close()
        return norm

    return update
