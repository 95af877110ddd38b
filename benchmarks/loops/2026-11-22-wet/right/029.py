import torch
import torch.nn.functional as F
from tqdm import tqdm

from ocr import Recogniser, plates


def train(epochs, device):
    model = Recogniser(alphabet=37).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=8e-4)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10, gamma=0.3)
    for epoch in range(epochs):
        model.train()
        with tqdm(plates("train", batch_size=48), unit="batch") as progress:
            for image, text, lengths in progress:
                ctc_out, attention_out = model(image.to(device), text.to(device))
                input_lengths = torch.full((len(image),), ctc_out.size(0), dtype=torch.long)
                ctc = F.ctc_loss(ctc_out, text, input_lengths, lengths)
                attention = F.cross_entropy(attention_out.transpose(1, 2), text.to(device), ignore_index=0)

                optimizer.zero_grad()
                (0.3 * ctc).backward(retain_graph=True)
                (0.7 * attention).backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
                optimizer.step()
                progress.set_postfix(ctc=ctc.item(), attention=attention.item())
        scheduler.step()
        torch.save(model.state_dict(), f"ocr-{epoch:02d}.pt")


if __name__ == "__main__":
    train(40, "cuda:0")
