import torch


def greedy_return(net, env, episodes=4):
    net.eval()
    total = 0.0
    for _ in range(episodes):
        obs, done = env.reset(), False
        while not done:
            dist, _ = net(torch.tensor(obs))
            obs, reward, done = env.step(dist.probs.argmax().item())
            total += reward
    net.train()
    return total / episodes
