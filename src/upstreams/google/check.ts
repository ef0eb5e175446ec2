// Whether a key of Google is good: the list of models costs nothing and is for keys alone.
import { takenBody } from "../kit/video-reply.ts";
import type { VendorCall } from "../upstream.ts";
import { addressBelow, placed } from "./address.ts";
import { readFault } from "./errors.ts";

export async function check({ target, send }: VendorCall): Promise<void> {
  const address = placed(addressBelow("models", target, { verb: "?pageSize=1" }));
  takenBody(await send({ method: "GET", address }), readFault);
}
