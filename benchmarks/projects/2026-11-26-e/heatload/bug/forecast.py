import click
import torch

from options import Options
from schedule import Schedule
from series import *
from tracking import *


@click.command()
@click.option("--config", "path", default="heat.json", type=click.Path(exists=True))
def main(path):
    opt = Options.read(path)
    torch.manual_seed(0)
    model = Forecaster(opt.hidden)
    loader = heat_loader(opt.window, opt.batch_size)
    optimizer = getattr(torch.optim, opt.optimizer)(model.parameters(), lr=opt.max_lr)
    schedule = Schedule(optimizer, opt.epochs * (len(loader) // opt.accumulate), opt.schedule_on)
    smooth, trace = Smooth(), Trace()
    model.train()
    for epoch in range(opt.epochs):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.smooth_l1_loss(model(x), y)
            (loss / opt.accumulate).backward()
            smooth.push(loss)
            trace.push(loss)
            if (i + 1) % opt.accumulate == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
                schedule.event("update")
            schedule.event("batch")
        click.echo(f"epoch {epoch} loss {smooth.mean():.4f} lr {schedule.lr:.4f}")
    click.echo("first %.4f last %.4f" % trace.ends())


if __name__ == "__main__":
    main()
