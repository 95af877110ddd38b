import torch


class PointEnv:
    """A batch of points which have to reach the origin."""

    obs_dim = 2
    act_dim = 2

    def __init__(self, num_envs, horizon=16):
        self.num_envs, self.horizon = num_envs, horizon

    def reset(self):
        self.pos = torch.randn(self.num_envs, 2)
        self.t = 0
        return self.pos.clone()

    def step(self, action):
        self.pos = self.pos + 0.2 * action.clamp(-1, 1)
        self.t += 1
        reward = -self.pos.norm(dim=1)
        done = torch.full((self.num_envs,), float(self.t >= self.horizon))
        if self.t >= self.horizon:
            self.reset()
        return self.pos.clone(), reward, done
