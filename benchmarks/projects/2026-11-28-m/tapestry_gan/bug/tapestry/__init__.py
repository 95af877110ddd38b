from tapestry import critic, generator
from tapestry.registry import UPDATES
