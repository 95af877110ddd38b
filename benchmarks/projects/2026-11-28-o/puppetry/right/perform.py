import torch

from stage.events import Events
from stage.extras import AnnounceScene, KeepGradientsSmall
from stage.show import Show
from stage.strings import Marionette, scenes


def main():
    torch.manual_seed(14)
    puppet = Marionette()
    events = Events()
    KeepGradientsSmall(puppet.limbs, limit=0.4).attach(events)
    AnnounceScene().attach(events)
    Show(puppet, events).run(scenes(11), acts=2)


if __name__ == "__main__":
    main()
