// The meaning of a vendor's answer to a call about a video or an image before it is read: taken,
// refused, or neither.
import { heardFault } from "../heard-fault.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { UnreadableReply, VendorRefusal, type Fault, type VendorReply } from "../upstream.ts";

/** Said by something between us and the vendor, who may have begun all the same. */
const unclearStatuses = new Set([408, 504, 524]);

type ReadFault = (status: number, headers: Headers, body: VendorReply["json"]) => Fault;

/** The body of an answer with success; throws VendorRefusal only where nothing was started. */
export function takenBody(reply: VendorReply, readFault: ReadFault): JsonObject {
  const { status, headers, json } = reply;
  // An error page without the vendor's own words is a proxy's.
  const isForeign = status >= 500 && !isObject(json);
  if (isForeign || unclearStatuses.has(status)) {
    throw new Error(`the upstream answered with status ${status}`);
  }
  if (status < 200 || status > 299) {
    throw new VendorRefusal(heardFault(readFault(status, headers, json), status, headers));
  }
  if (!isObject(json)) throw new UnreadableReply("the upstream's answer could not be read");
  return json;
}

/** The field by which the vendor names the job. */
export function namedIn(body: JsonObject, field: string): string {
  const name = body[field];
  if (typeof name === "string" && name !== "") return name;
  throw new UnreadableReply(`the upstream's answer has no ${field}`);
}
