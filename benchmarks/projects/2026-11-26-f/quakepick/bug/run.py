import torch

import picker
import traces

torch.manual_seed(0)
loader = traces.records()

phase_net = traces.network(3)
picker.PhaseTrainer(phase_net, torch.optim.SGD(phase_net.parameters(), lr=0.2), max_norm=0.7).fit(loader, epochs=4)

magnitude_net = traces.network(1)
adam = torch.optim.Adam(magnitude_net.parameters(), lr=5e-3)
picker.MagnitudeTrainer(magnitude_net, adam).fit(loader, epochs=4)
