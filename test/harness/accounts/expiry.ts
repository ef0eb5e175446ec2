// Nothing can be made that has expired, and no test waits for a clock: its row is moved to the
// past.
import type { Gateway } from "../gateway.ts";
import { rowsOf } from "../rows.ts";

/**
 * Keys expire only where they were not used yet, or are changed afterwards: others are in memory.
 */
export async function expire(
  gateway: Gateway,
  table: "api_key" | "access_token" | "redemption" | "invitation",
  id: string,
): Promise<void> {
  const change = `update ${table} set expires_at_ms = 1 where id = '${id}' returning id`;
  const rows = await rowsOf(gateway, change);
  if (rows.length !== 1) throw new Error(`there is no ${table} ${id}`);
}
