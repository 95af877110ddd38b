"""`python -m gradlint` is the `gradlint` command."""

from gradlint.cli import process

if __name__ == "__main__":
    process()
