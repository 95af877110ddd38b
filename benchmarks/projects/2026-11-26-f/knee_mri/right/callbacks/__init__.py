from .base import Callback, CallbackList
from .gradients import ClearGradients, LimitGradients
from .report import Report

__all__ = ["Callback", "CallbackList", "ClearGradients", "LimitGradients", "Report"]
