from .build import *
from .config import *
from .model import *
from .tracker import *
