// One Redis for all gateways of a run, with a database for each data folder: what is limited is
// then limited for both nodes together, just as for one. Without it each has a half.
import { openRedis, type Redis } from "../redis.ts";

let opening: Promise<Redis | null> | null = null;
const databases = new Map<string, number>();

export async function redisOf(folder: string): Promise<Record<string, string>> {
  const redis = await (opening ??= open());
  if (!redis) return {};
  const database = databases.get(folder) ?? databases.size;
  databases.set(folder, database);
  return { SLUICE_REDIS_URL: `${redis.url}/${database}` };
}

async function open(): Promise<Redis | null> {
  const opened = await openRedis();
  if ("missing" in opened) {
    const reason = `There is no Redis or Valkey: ${opened.missing}`;
    process.stderr.write(`Limits behind a balancer are those of two halves. ${reason}\n`);
    return null;
  }
  return opened.redis;
}
