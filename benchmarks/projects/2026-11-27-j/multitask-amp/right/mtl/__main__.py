from mtl.loop import run

run()
