// Agreement of one gateway's nodes, read from each one's own account.

const patienceMs = 20_000;
const lookMs = 2;

export async function metricsAt(url: string): Promise<string> {
  return await (await fetch(`${url}/metrics`)).text();
}

/** Waits until every node knows of each change that one of them knows of. */
export async function agreement(urls: readonly string[]): Promise<void> {
  const known = await Promise.all(urls.map(versionsAt));
  const topics = new Set(known.flatMap((versions) => [...versions.keys()]));
  const newest = new Map(
    Array.from(topics, (topic) => [
      topic,
      Math.max(...known.map((versions) => versions.get(topic) ?? 0)),
    ]),
  );
  const endMs = performance.now() + patienceMs;
  for (const [at, url] of urls.entries()) {
    let versions = known[at] ?? new Map<string, number>();
    while (![...newest].every(([topic, version]) => (versions.get(topic) ?? 0) >= version)) {
      if (performance.now() > endMs) throw new Error(`${url} does not know of all changes`);
      await Bun.sleep(lookMs);
      versions = await versionsAt(url);
    }
  }
}

const nodesOf = new Map<string, readonly string[]>();

/** The nodes of a data folder, until there is none. */
export function noteNodes(folder: string, urls: readonly string[]): void {
  if (urls.length === 0) nodesOf.delete(folder);
  else nodesOf.set(folder, urls);
}

/** After a change that did not come through the balancer; nodes that are gone know of nothing. */
export async function agreementIn(folder: string): Promise<void> {
  await agreement(nodesOf.get(folder) ?? []).catch(() => {});
}

/** A node asked for the log shows its earlier answers, so it writes them down first. */
export async function written(urls: readonly string[], token: string): Promise<void> {
  if (token === "") return;
  const headers = { authorization: `Bearer ${token}` };
  const asked = urls.map((url) => fetch(`${url}/api/log?request_id=none`, { headers }));
  for (const response of await Promise.all(asked)) await response.text();
}

async function versionsAt(url: string): Promise<Map<string, number>> {
  const lines = (await metricsAt(url)).matchAll(/^sluice_topic_version\{topic="(.+)"\} (\d+)$/gm);
  return new Map(Array.from(lines, ([, topic = "", version]) => [topic, Number(version)]));
}

/** Gauges of the whole, which each node knows and none has a part of. */
const known = [
  "channel_keys",
  "channel_key_disabled",
  "channel_out",
  "channels_ejected",
  "event_loop_lag_seconds",
  "ready",
  "build_info",
  "nodes_live",
  "topic_version",
  "start_time_seconds",
  "redis_up",
];
const isKnown = new RegExp(`^sluice_(?:${known.join("|")})\\b`);

/** One text, in which the nodes' counters are summed. */
export function sumMetrics(texts: readonly string[]): string {
  const [first = "", ...others] = texts;
  if (others.length === 0) return first;
  const sums = new Map<string, number | null>();
  for (const line of texts.flatMap((text) => text.trimEnd().split("\n"))) {
    const [, name = line, value] = /^([^#].*) (\S+)$/.exec(line) ?? [];
    if (value === undefined) sums.set(line, null);
    else {
      const before = sums.get(name) ?? 0;
      sums.set(name, isKnown.test(name) ? Math.max(before, Number(value)) : before + Number(value));
    }
  }
  return Array.from(sums, ([name, sum]) => (sum === null ? name : `${name} ${sum}`) + "\n").join(
    "",
  );
}
