// What has expired cannot be made so, and no test waits for a clock: its row is moved to the past.
import type { Gateway } from "../gateway.ts";
import { rowsOf } from "../rows.ts";

/** Of keys, only one that was not used yet, or is changed afterwards: others are in memory. */
export async function expire(
  gateway: Gateway,
  table: "api_key" | "access_token" | "redemption" | "invitation",
  id: string,
): Promise<void> {
  const change = `update ${table} set expires_at_ms = 1 where id = '${id}' returning id`;
  const rows = await rowsOf(gateway, change);
  if (rows.length !== 1) throw new Error(`there is no ${table} ${id}`);
}
