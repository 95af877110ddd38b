__all__ = ["closes", "windows_of"]


def closes(index, every, total):
    return (index + 1) % every == 0 or index + 1 == total


def windows_of(index, every, total):
    return min(every, total - index // every * every)
