// Kling's errors are its usual envelope with a code that is not zero. The code decides: an empty
// account comes with the status of a full queue.
import { isObject, type Json } from "../../core/json.ts";
import { toFault } from "../kit/fault.ts";
import { textOf } from "../kit/vendor-reply.ts";
import type { Fault } from "../upstream.ts";

type Blame = Fault["blame"];

const contentCodes = new Set([1300, 1301]);
const creditCodes = new Set([1101, 1102]);
const byCode: ReadonlyMap<number, Blame> = new Map<number, Blame>([
  ...codes("key", [1000, 1001, 1002, 1003, 1004]),
  // An account that is barred.
  ...codes("key", [1100, 1304]),
  // In arrears or out of its package, for this request at least.
  ...codes("suspect", [...creditCodes]),
  // No access to what was asked for, which the request names.
  ...codes("suspect", [1103]),
  ...codes("request", [1200, 1201, ...contentCodes]),
  ...codes("load", [1302, 1303]),
  ...codes("channel", [1202, 1203, 5000, 5001, 5002]),
]);
const byStatus: ReadonlyMap<number, Blame> = new Map<number, Blame>([
  ...codes("key", [401]),
  ...codes("suspect", [402, 403]),
  ...codes("request", [400, 413, 415, 422]),
  ...codes("load", [429]),
]);

export function readFault(status: number, headers: Headers, body: Json): Fault {
  const { code, message: vendorMessage } = isObject(body) ? body : {};
  const message = textOf(vendorMessage) ?? `the upstream answered with status ${status}`;
  const known = typeof code === "number" ? byCode.get(code) : undefined;
  const blame = known ?? byStatus.get(status) ?? "channel";
  const isContent = typeof code === "number" && contentCodes.has(code);
  const isOfCredit = status === 402 || (typeof code === "number" && creditCodes.has(code));
  return toFault(blame, { status, headers, message, isContent, isOfCredit });
}

function codes(blame: Blame, numbers: readonly number[]): [number, Blame][] {
  return numbers.map((number) => [number, blame]);
}
