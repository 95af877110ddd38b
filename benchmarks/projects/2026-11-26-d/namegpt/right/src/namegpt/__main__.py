from namegpt import TrainConfig, fit

if __name__ == "__main__":
    fit(TrainConfig())
