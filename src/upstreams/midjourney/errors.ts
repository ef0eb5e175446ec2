// The proxy's errors are its usual answer with another number in `code`, mostly with the status of
// a success. The number decides, unless the status speaks of the key.
import { isObject, type Json } from "../../core/json.ts";
import { toFault } from "../kit/fault.ts";
import { textOf } from "../kit/vendor-reply.ts";
import type { Fault } from "../upstream.ts";

type Blame = Fault["blame"];

const bannedCode = 24;
const byCode: ReadonlyMap<unknown, Blame> = new Map<unknown, Blame>([
  [3, "request"],
  [4, "request"],
  [9, "channel"],
  [23, "load"],
  [bannedCode, "request"],
]);
const byStatus: ReadonlyMap<number, Blame> = new Map<number, Blame>([
  [400, "request"],
  [401, "key"],
  [402, "suspect"],
  [403, "suspect"],
  [413, "request"],
  [422, "request"],
  [429, "load"],
]);

/** Whether the number says that the vendor did not take the job. */
export function isRefusal(code: Json | undefined): boolean {
  return byCode.has(code);
}

export function readFault(status: number, headers: Headers, body: Json): Fault {
  const { code, description } = isObject(body) ? body : {};
  const message = textOf(description) ?? `the upstream answered with status ${status}`;
  const known = byStatus.get(status);
  const isRefusedKey = known === "key" || known === "suspect";
  const blame = (isRefusedKey ? known : byCode.get(code)) ?? known ?? "channel";
  const isContent = code === bannedCode;
  return toFault(blame, { status, headers, message, isContent });
}
