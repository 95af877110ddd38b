from functools import partial


def bracket(scaler, opts):
    """What comes before the clip, and what comes behind it."""

    def commit():
        for opt in opts.values():
            scaler.step(opt)
        scaler.update()

    return partial(scaler.unscale_, opts["encoder"]), commit
