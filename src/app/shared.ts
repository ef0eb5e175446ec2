// What nodes keep together: the link to Redis where there is one, and how many they are.
import { systemClock } from "../core/clock.ts";
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

/** Where there is no Redis. */
export function shareNothing(liveNodes: () => number): Shared {
  const limits = new Limiter(systemClock, undefined, liveNodes);
  return { limits, link: null, replyLink: null, liveNodes, close: async () => {} };
}
