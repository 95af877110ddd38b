from .cast import mixed, timed
from .policy import Policy, make_scaler
