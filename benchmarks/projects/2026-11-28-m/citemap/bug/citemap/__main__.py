from citemap.callbacks import Accuracy, DecayRate, Printer
from citemap.engine import Engine
from citemap.graph import planted
from citemap.gcn import GCN

graph = planted()
engine = Engine(GCN(graph.x.shape[1], 24, 4), graph, lr=0.02)
engine.run(epochs=40, callbacks=[DecayRate(every=10), Accuracy(), Printer(every=10)])
