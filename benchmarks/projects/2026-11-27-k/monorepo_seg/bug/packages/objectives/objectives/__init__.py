from .losses import inpainting_loss, mask_loss

__all__ = ["inpainting_loss", "mask_loss"]
