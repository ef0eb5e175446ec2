// Names wherever ids are taken, and ids wherever names are.
import { isObject } from "../../core/json.ts";
import type { ControlClient, Query } from "../control-client.ts";

export interface RecordOptions {
  account?: string;
  key?: string;
  model?: string;
  channel?: string;
  from?: string;
  to?: string;
}

/** The control API knows accounts by user name here. */
export async function usernameOf(client: ControlClient, wanted: string): Promise<string> {
  if (!wanted.startsWith("acc_")) return wanted;
  const user = await client.get(`/api/user/${encodeURIComponent(wanted)}`);
  return isObject(user) ? String(user["username"]) : wanted;
}

/** And keys by id. */
async function keyIdOf(client: ControlClient, wanted: string): Promise<string> {
  return wanted.startsWith("key_") ? wanted : await client.find("/api/token", "name", wanted);
}

/** What of the records is wanted, as the control API is asked for it. */
export async function recordQuery(
  client: ControlClient,
  { account, key, model, channel, from, to }: RecordOptions,
): Promise<Query> {
  return {
    ...(account !== undefined && { account: await usernameOf(client, account) }),
    ...(key !== undefined && { key: await keyIdOf(client, key) }),
    ...(model !== undefined && { model }),
    ...(channel !== undefined && { channel }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}
