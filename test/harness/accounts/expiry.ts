// What has expired cannot be made so, and no test waits for a clock: its row is moved to the past.
import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Gateway } from "../gateway.ts";

const patienceMs = 10_000;

/** Of keys, only one that was not used yet, or is changed afterwards: others are in memory. */
export function expire(
  { folder }: Gateway,
  table: "api_key" | "access_token" | "redemption" | "invitation",
  id: string,
): void {
  using database = new Database(join(folder, "sluice.db"));
  database.run(`pragma busy_timeout = ${patienceMs}`);
  const { changes } = database.run(`update ${table} set expires_at_ms = 1 where id = ?`, [id]);
  if (changes !== 1) throw new Error(`there is no ${table} ${id}`);
}
