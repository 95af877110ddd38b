import sys

from tinylm.settings import load
from tinylm.train import pretrain

if __name__ == "__main__":
    for line in pretrain(load(sys.argv[1])):
        print(line)
