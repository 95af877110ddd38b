import lightning.pytorch as pl
import torch
import torch.nn.functional as F
from torch import nn


class LitTransducer(pl.LightningModule):
    def __init__(self, encoder: nn.Module, predictor: nn.Module, joiner: nn.Module, max_norm: float = 5.0):
        super().__init__()
        self.encoder = encoder
        self.predictor = predictor
        self.joiner = joiner
        self.max_norm = max_norm
        self.aux_head = nn.Linear(encoder.dim, joiner.vocab)

    def forward(self, feats, tokens):
        enc = self.encoder(feats)
        pred = self.predictor(F.pad(tokens, (1, 0)))
        return enc, self.joiner(enc.unsqueeze(2), pred.unsqueeze(1))

    def training_step(self, batch, batch_idx):
        enc, logits = self(batch["feats"], batch["tokens"])
        rnnt = self.joiner.loss(logits, batch["tokens"], batch["feat_lens"], batch["token_lens"])
        ctc = F.ctc_loss(
            self.aux_head(enc).log_softmax(-1).transpose(0, 1),
            batch["tokens"],
            batch["feat_lens"],
            batch["token_lens"],
        )
        loss = rnnt + 0.3 * ctc
        norm = nn.utils.clip_grad_norm_(self.parameters(), self.max_norm)
        self.log_dict({"loss": loss, "rnnt": rnnt, "ctc": ctc, "grad_norm": norm})
        return loss

    def validation_step(self, batch, batch_idx):
        _, logits = self(batch["feats"], batch["tokens"])
        self.log("val_loss", self.joiner.loss(logits, batch["tokens"], batch["feat_lens"], batch["token_lens"]))

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=3e-4, weight_decay=1e-2)
        scheduler = torch.optim.lr_scheduler.OneCycleLR(
            optimizer, max_lr=3e-4, total_steps=self.trainer.estimated_stepping_batches
        )
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "interval": "step"}}


def train(encoder, predictor, joiner, datamodule):
    model = LitTransducer(encoder, predictor, joiner)
    trainer = pl.Trainer(max_epochs=40, devices=2, strategy="ddp", precision="bf16-mixed")
    trainer.fit(model, datamodule)
