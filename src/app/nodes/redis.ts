// State that nodes share over Redis. Loaded only where there is one.
import { RedisClient } from "bun";
import { describe } from "../../core/log.ts";
import { systemRandom } from "../../core/random.ts";
import { leaseArguments, leaseScript, readLease } from "../../limits/shared/lease-script.ts";
import { Presence, presenceScript } from "../../limits/shared/presence.ts";
import { RedisLink, type RedisLinkNeeds } from "../../limits/shared/redis-link.ts";
import { SharedLimiter, type Lender } from "../../limits/shared/shared-limiter.ts";
import type { Machine } from "../machine.ts";
import type { Shared, SharedNeeds } from "../shared.ts";

const namePrefix = "sluice:";
const nodeBytes = 12;
/** Nobody would notice that; any request may have to wait for it. */
const limitMsMax = 50;
/** A conversation that is not found is a refusal, and so worth a wait. */
const replyMsMax = 1000;

export async function shareOverRedis(
  redisUrl: string,
  { log, machine, liveNodes }: SharedNeeds,
): Promise<Shared> {
  const node = systemRandom.bytes(nodeBytes).toHex();
  const link = createLink(machine, redisUrl, limitMsMax, (isUp, error) => {
    if (isUp) log.info("limits are kept together with the other nodes", {});
    else log.warn("Redis is away: this node goes by its share", { error: describe(error) });
  });
  const replyLink = createLink(machine, redisUrl, replyMsMax, () => {});
  const presence = new Presence({
    run: (lifeMs) => link.run(presenceScript, `${namePrefix}nodes`, [node, String(lifeMs)]),
    timers: machine.timers,
  });
  const countNodes = () => Math.max(presence.nodes, liveNodes());
  const limits = new SharedLimiter({
    lender: createLender(link, node),
    clock: machine.clock,
    timers: machine.timers,
    liveNodes: countNodes,
    rank: () => presence.rank,
  });
  await Promise.all([link.open(), replyLink.open()]);
  await presence.say();
  async function close(): Promise<void> {
    await limits.close();
    await presence.close();
    link.close();
    replyLink.close();
  }
  return { limits, link, replyLink, liveNodes: countNodes, close };
}

function createLink(
  { timers, soon }: Machine,
  url: string,
  callMsMax: number,
  changed: RedisLinkNeeds["changed"],
): RedisLink {
  return new RedisLink({
    open: () =>
      new RedisClient(url, {
        enableOfflineQueue: false,
        autoReconnect: false,
        connectionTimeout: 500,
      }),
    timers,
    soon,
    changed,
    callMsMax,
  });
}

function createLender(link: RedisLink, node: string): Lender {
  return {
    get isUp() {
      return link.isUp;
    },
    get epoch() {
      return link.epoch;
    },
    async lease(ask) {
      const name = `${namePrefix}limit:${ask.subject}`;
      const answer = await link.run(leaseScript, name, leaseArguments(node, ask));
      try {
        return readLease(answer);
      } catch (error) {
        link.fail(error);
        throw error;
      }
    },
  };
}
