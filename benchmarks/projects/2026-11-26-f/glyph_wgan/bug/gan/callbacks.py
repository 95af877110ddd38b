class Callback:
    def epoch_begin(self, epoch, players):
        pass

    def epoch_end(self, epoch, players):
        pass


class RateLog(Callback):
    def epoch_begin(self, epoch, players):
        print("epoch", epoch, {name: round(p.rate, 6) for name, p in players.items()})


class Decay(Callback):
    def epoch_begin(self, epoch, players):
        for player in players.values():
            player.sched.step()
