import torch

CORPUS = (
    "the wind was a torrent of darkness among the gusty trees "
    "the moon was a ghostly galleon tossed upon cloudy seas "
    "the road was a ribbon of moonlight over the purple moor "
)
CHARS = sorted(set(CORPUS))


class Windows(torch.utils.data.Dataset):
    def __init__(self, span=24, stride=2):
        ids = torch.tensor([CHARS.index(c) for c in CORPUS * 2])
        self.rows = ids.unfold(0, span + 1, stride)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, k):
        return self.rows[k, :-1], self.rows[k, 1:]
