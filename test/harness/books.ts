// The gateway's records of a request and an account, read through its control plane.
import type { LogView } from "../../src/admin/log/contract.ts";
import { rootToken, type Gateway } from "./gateway.ts";

/** Row of a list, for admins. */
export type LogRow = Required<Omit<LogView, "tries" | "trace">>;

export interface Balance {
  quota_micros: number;
  held_micros: number;
  used_micros: number;
}

const waitMsMax = 30_000;
/** Looks are far apart where it takes long: each is work for those who are looked at. */
const pollMs = { first: 5, growth: 1.25, most: 40 };

/** Asks again until there is an answer: what is written behind the requests comes later. */
export async function eventually<Value>(
  what: string,
  read: () => Promise<Value | undefined>,
): Promise<Value> {
  const endsAtMs = performance.now() + waitMsMax;
  for (let restMs = pollMs.first; ; restMs = Math.min(restMs * pollMs.growth, pollMs.most)) {
    const value = await read();
    if (value !== undefined) return value;
    if (performance.now() > endsAtMs) throw new Error(`${what} did not come`);
    await Bun.sleep(restMs);
  }
}

/** The row of the usage log about the request that was answered so. */
export async function logRow(gateway: Gateway, response: Response): Promise<LogRow> {
  const id = response.headers.get("x-request-id") ?? "";
  return await eventually(`the log row of ${id}`, async () => {
    const path = `/api/log?request_id=${id}`;
    const { items } = await gateway.control<{ items: LogRow[] }>("GET", path);
    return items[0];
  });
}

/** The newest row of an account, for requests whose answer was never seen. */
export async function newestRow(gateway: Gateway, keyId: string): Promise<LogRow> {
  return await eventually(`a log row of ${keyId}`, async () => {
    const path = `/api/log?key=${keyId}`;
    const { items } = await gateway.control<{ items: LogRow[] }>("GET", path);
    return items[0];
  });
}

/** Waits until so many upstreams are read on: that many clients were seen to have left. */
export async function readOn(gateway: Gateway, upstreams: number): Promise<void> {
  await eventually(`${upstreams} upstreams that are read on`, async () => {
    const metrics = await gateway.metrics();
    return metrics.includes(`\nsluice_upstreams_read_on ${upstreams}\n`) || undefined;
  });
}

export async function balanceOf(gateway: Gateway, accountId: string): Promise<Balance> {
  return await gateway.control<Balance>("GET", `/api/user/${accountId}`);
}

/** Micros held while a request runs: until that is written, only the node that has it knows. */
export async function heldOf(gateway: Gateway, accountId: string): Promise<number> {
  const init = { headers: { authorization: `Bearer ${rootToken}` } };
  const asked = gateway.nodeUrls.map(async (url) => {
    const response = await fetch(`${url}/api/user/${accountId}`, init);
    return ((await response.json()) as { data: Balance }).data.held_micros;
  });
  return Math.max(...(await Promise.all(asked)));
}
