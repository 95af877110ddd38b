SETTINGS = {
    "press": "flat",
    "update": "leafwise",
    "schedule": "fading",
    "species": 4,
    "epochs": 3,
    "lr": 0.05,
}
