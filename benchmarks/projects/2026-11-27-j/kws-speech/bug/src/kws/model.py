from torch import Tensor, nn

from .config import AudioConfig


class KeywordNet(nn.Module):
    def __init__(self, audio: AudioConfig, width: int = 24) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(audio.n_mels, width, 3, padding=1),
            nn.BatchNorm1d(width),
            nn.ReLU(),
            nn.Dropout(0.2),
            nn.Conv1d(width, width, 3, padding=1, stride=2),
            nn.BatchNorm1d(width),
            nn.ReLU(),
        )
        self.head = nn.Linear(width, audio.n_keywords)

    def forward(self, mels: Tensor) -> Tensor:
        return self.head(self.body(mels).mean(dim=-1))
