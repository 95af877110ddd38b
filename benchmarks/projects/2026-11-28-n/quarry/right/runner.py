from torch.nn.functional import mse_loss


class Runner:
    def __init__(self, jobs, stones):
        self.jobs, self.stones = jobs, stones

    def turn(self, job, stone):
        with job.strategy.cast():
            loss = mse_loss(job.net(stone), job.target(stone))
        job.strategy.backward(loss)
        job.strategy.ready(job.net, job.optimizer)
        job.strategy.apply(job.optimizer)
        return loss.item()

    def run(self, shifts):
        for shift in range(shifts):
            seen = [0.0] * len(self.jobs)
            for stone in self.stones:
                for k, job in enumerate(self.jobs):
                    seen[k] += self.turn(job, stone)
            print(shift, seen, [job.strategy.close() for job in self.jobs])
