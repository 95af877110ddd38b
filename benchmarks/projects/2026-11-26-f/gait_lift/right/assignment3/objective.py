def mpjpe(pred, pose):
    """Mean distance of the joints."""
    return (pred - pose).norm(dim=-1).mean()


def joint_error(model, batch):
    """A function that gives the loss of a batch."""
    flat, pose = batch

    def term():
        return mpjpe(model(flat).view_as(pose), pose)

    return term
