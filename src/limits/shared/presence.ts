// The number of nodes that share this store, and which of them this one is: each says that it is
// there, and counts those that have done so lately. What was counted last holds while nobody can be
// asked.
import type { Stop, Timers } from "../../core/clock.ts";
import { bornName } from "./lease-script.ts";

export const presenceScript = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local life = tonumber(ARGV[2])
if life > 0 then redis.call('ZADD', KEYS[1], now + life, ARGV[1])
else redis.call('ZREM', KEYS[1], ARGV[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('SET', '${bornName}', now, 'NX')
local rank, names = 0, redis.call('ZRANGE', KEYS[1], 0, -1)
for _, name in ipairs(names) do if name < ARGV[1] then rank = rank + 1 end end
return { #names, rank }
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
  #rank = 0;

  constructor(needs: PresenceNeeds) {
    this.#needs = needs;
    this.#stop = needs.timers.every(periodMs, () => void this.say());
  }

  /** The last count of nodes, this one with them. */
  get nodes(): number {
    return this.#nodes;
  }

  /** The count of nodes before this one, in an order that all agree on. */
  get rank(): number {
    return this.#rank;
  }

  async say(): Promise<void> {
    const answer = await this.#needs.run(lifeMs).catch(() => null);
    const [nodes = 0, rank = 0] = Array.isArray(answer) ? answer.map(Number) : [];
    if (!Number.isSafeInteger(nodes) || nodes < 1) return;
    this.#nodes = nodes;
    this.#rank = rank;
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#needs.run(0).catch(() => null);
  }
}
