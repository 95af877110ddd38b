import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from transformers import ViTModel

from caption.data import Flickr30k, collate
from caption.decoder import CaptionDecoder


def train_decoder(cfg):
    encoder = ViTModel.from_pretrained(cfg["vit"]).cuda().requires_grad_(False)
    decoder = CaptionDecoder(cfg["vocab"], encoder.config.hidden_size).cuda()
    optimizer = torch.optim.AdamW(decoder.parameters(), lr=cfg["lr"])
    criterion = nn.CrossEntropyLoss(ignore_index=cfg["pad"])
    loader = DataLoader(Flickr30k(cfg["root"]), cfg["batch"], shuffle=True, collate_fn=collate)
    encoder.eval()
    for epoch in range(cfg["epochs"]):
        decoder.train()
        for j, (pixels, words) in enumerate(loader):
            words = words.cuda()
            with torch.no_grad():
                memory = encoder(pixel_values=pixels.cuda()).last_hidden_state
            logits = decoder(words[:, :-1], memory)
            loss = criterion(logits.reshape(-1, cfg["vocab"]), words[:, 1:].reshape(-1))
            loss.backward()
            optimizer.zero_grad()
            if cfg["clip"] is not None:
                nn.utils.clip_grad_norm_(decoder.parameters(), cfg["clip"])
            optimizer.step()
            if j % 100 == 0:
                print(f"{epoch}:{j} {loss.item():.3f}")
        torch.save(decoder.state_dict(), cfg["out"])
