from assemble import build
from config import CONFIG
from corpus import chunks
from engine import Engine
from parallel import single_node


def main():
    with single_node():
        model, optimizer, hooks = build(CONFIG)
        engine = Engine(model, optimizer, hooks, CONFIG["accum"])
        data = chunks(CONFIG["pieces"], CONFIG["length"])
        for epoch in range(CONFIG["epochs"]):
            print(f"epoch {epoch}: ppl {engine.epoch(data):.2f}, {engine.updates} updates")


if __name__ == "__main__":
    main()
