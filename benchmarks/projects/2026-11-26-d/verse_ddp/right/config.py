CONFIG = {
    "model": {"vocab": 32, "dim": 16},
    "optimizer": {"name": "AdamW", "lr": 8e-3, "weight_decay": 0.01},
    "hooks": {"after_backward": ["norms"], "before_step": ["clip"]},
    "clip": 0.2,
    "accum": 4,
    "pieces": 11,
    "length": 24,
    "epochs": 2,
    "seed": 30,
}
