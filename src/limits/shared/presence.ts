// How many nodes share this store: each says that it is there, and counts those that have done so
// lately. What was counted last holds while nobody can be asked.
import type { Stop, Timers } from "../../core/clock.ts";

export const presenceScript = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local life = tonumber(ARGV[2])
if life > 0 then redis.call('ZADD', KEYS[1], now + life, ARGV[1])
else redis.call('ZREM', KEYS[1], ARGV[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
return redis.call('ZCARD', KEYS[1])
`;

interface PresenceNeeds {
  run(lifeMs: number): Promise<unknown>;
  timers: Timers;
}

const periodMs = 2000;
const lifeMs = 10_000;

export class Presence {
  readonly #needs: PresenceNeeds;
  readonly #stop: Stop;
  #nodes = 1;

  constructor(needs: PresenceNeeds) {
    this.#needs = needs;
    this.#stop = needs.timers.every(periodMs, () => void this.say());
  }

  /** As counted last, this node with them. */
  get nodes(): number {
    return this.#nodes;
  }

  async say(): Promise<void> {
    const nodes = Number(await this.#needs.run(lifeMs).catch(() => this.#nodes));
    if (Number.isSafeInteger(nodes) && nodes > 0) this.#nodes = nodes;
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#needs.run(0).catch(() => null);
  }
}
