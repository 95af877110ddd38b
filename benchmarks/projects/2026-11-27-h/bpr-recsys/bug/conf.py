CONF = {
    "users": 60,
    "items": 40,
    "dim": 12,
    "pretrain": {"due": "modulo", "window": 4, "lr": 0.5, "epochs": 3, "batch": 64},
    "calibrate": {
        "lr": 0.2,
        "rounds": 20,
        "finish": ["cap", "wipe", "move"],
    },
}
