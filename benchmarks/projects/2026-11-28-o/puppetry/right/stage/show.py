import torch
from torch.nn.functional import mse_loss

from stage.updates import Hand, release


class Show:
    def __init__(self, puppet, events):
        self.puppet, self.events = puppet, events
        self.limbs = Hand(torch.optim.Adam(puppet.limbs.parameters(), lr=0.01))
        self.voice = Hand(torch.optim.SGD(puppet.voice.parameters(), lr=0.1))

    def run(self, scenes, acts):
        for act in range(acts):
            self.puppet.train()
            loss = sum(self.scene(*scene) for scene in scenes) / len(scenes)
            self.events.fire("act_end", act=act, loss=loss)

    def scene(self, pull, pose, sound):
        self.events.fire("scene_start", pull=pull)
        loss = mse_loss(self.puppet(pull), pose)
        loss.backward()
        self.events.fire("gradients_ready", loss=loss.detach())
        self.limbs.move()
        release(self.puppet.voice)
        spoken = mse_loss(self.puppet.voice(self.puppet(pull).detach()), sound)
        spoken.backward()
        self.voice.move()
        return loss.item() + spoken.item()
