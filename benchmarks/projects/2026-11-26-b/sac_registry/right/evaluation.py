def evaluate(agent, env, episodes):
    agent.actor.eval()
    total = 0.0
    for _ in range(episodes):
        state, done = env.reset(), False
        while not done:
            state, reward, done = env.step(agent.act(state, greedy=True))
            total += reward
    agent.actor.train()
    return total / episodes
