// What nodes keep together: the link to Redis where there is one, and how many they are.
import type { Config } from "../config/config.ts";
import { systemClock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { Limiter, type Limits } from "../limits/limiter.ts";
import type { RedisLink } from "../limits/shared/redis-link.ts";

export interface Shared {
  limits: Limits;
  /** Null where there is no Redis. */
  link: RedisLink | null;
  /** Another one: what is large or may take its time does not hold up the limits. */
  replyLink: RedisLink | null;
  liveNodes(): number;
  close(): Promise<void>;
}

/** `liveNodes` is what the database knows of; Redis may know of more. */
export async function createShared(
  { redisUrl }: Config,
  log: Log,
  liveNodes: () => number,
): Promise<Shared> {
  if (redisUrl !== null) {
    const { shareOverRedis } = await import("./nodes/redis.ts");
    return await shareOverRedis(redisUrl, log, liveNodes);
  }
  const limits = new Limiter(systemClock, undefined, liveNodes);
  return { limits, link: null, replyLink: null, liveNodes, close: async () => {} };
}
