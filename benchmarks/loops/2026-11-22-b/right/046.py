import torch
from ignite.contrib.handlers import ProgressBar
from ignite.engine import Events, create_supervised_evaluator, create_supervised_trainer
from ignite.handlers import ModelCheckpoint
from ignite.metrics import Accuracy, Loss
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR

from leaf.data import loaders
from leaf.model import build_model

ACCUM = 4


def run(root, epochs=30, lr=1e-3):
    device = "cuda"
    train_loader, val_loader = loaders(root, batch_size=16)
    model = build_model().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    scheduler = CosineAnnealingLR(optimizer, T_max=epochs * len(train_loader) // ACCUM)

    trainer = create_supervised_trainer(
        model,
        optimizer,
        criterion,
        device=device,
        gradient_accumulation_steps=ACCUM,
    )
    evaluator = create_supervised_evaluator(
        model, metrics={"acc": Accuracy(), "nll": Loss(criterion)}, device=device
    )

    @trainer.on(Events.ITERATION_COMPLETED(every=ACCUM))
    def anneal(_):
        scheduler.step()

    @trainer.on(Events.EPOCH_COMPLETED)
    def validate(engine):
        evaluator.run(val_loader)
        metrics = evaluator.state.metrics
        print(f"epoch {engine.state.epoch} acc {metrics['acc']:.4f} nll {metrics['nll']:.4f}")

    saver = ModelCheckpoint(
        "checkpoints",
        n_saved=2,
        score_function=lambda e: e.state.metrics["acc"],
        score_name="acc",
        require_empty=False,
    )
    evaluator.add_event_handler(Events.COMPLETED, saver, {"model": model})
    ProgressBar().attach(trainer, output_transform=lambda loss: {"loss": loss})
    trainer.run(train_loader, max_epochs=epochs)
    return model


if __name__ == "__main__":
    run("data/leaf")
