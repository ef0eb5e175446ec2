// Reason for one node in a test where all others have two. Every such test names its reason here.
export const reasonsForOneProcess = {
  judgement:
    "It counts what one node makes of its own failures: breakers, retry budgets, suspicions and " +
    "whose turn it is are each node's own, so two of them need twice as many.",
  bounds:
    "It fills one process up: what it has of streams, channels' places and retries is bounded for " +
    "each node.",
  places:
    "It counts places and tokens to the last one at once. Nodes tell each other of them within " +
    "a quarter of a second: test/cluster/redis-limits.test.ts.",
  practice:
    "It asks practice vendors for what they keep. Each node has its own, in its process, and what " +
    "was made by one the others have never heard of.",
} as const;

export type ReasonForOneProcess = keyof typeof reasonsForOneProcess;
