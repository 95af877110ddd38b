def reshuffle(engine):
    engine.loader.sampler.set_epoch(engine.epoch)


def report(engine):
    print(engine.epoch, engine.output)
