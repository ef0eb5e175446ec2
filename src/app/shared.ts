// State shared between nodes: the link to Redis where there is one, and how many they are.
import type { Log } from "../core/log.ts";
import { Limiter, type Limits } from "../limits/limiter.ts";
import type { RedisLink } from "../limits/shared/redis-link.ts";
import type { Machine } from "./machine.ts";

export interface Shared {
  limits: Limits;
  /** Null where there is no Redis. */
  link: RedisLink | null;
  /** Another one: what is large or may take its time does not hold up the limits. */
  replyLink: RedisLink | null;
  liveNodes(): number;
  close(): Promise<void>;
}

export interface SharedNeeds {
  log: Log;
  machine: Machine;
  /** Nodes that the database knows of; Redis may know of more. */
  liveNodes(): number;
}

/** State of a gateway without Redis. */
export function shareNothing({ machine, liveNodes }: SharedNeeds): Shared {
  const limits = new Limiter(machine.clock, undefined, liveNodes);
  return { limits, link: null, replyLink: null, liveNodes, close: async () => {} };
}
