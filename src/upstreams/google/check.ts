// Check of a Google key: the list of models costs nothing and is for keys alone.
import { namesIn } from "../kit/model-names.ts";
import { takenBody } from "../kit/video-reply.ts";
import type { VendorCall } from "../upstream.ts";
import { bareName, placed } from "../kit/google/path.ts";
import { addressBelow } from "./address.ts";
import { readGoogleFault } from "../kit/google/faults.ts";

export async function check({ target, send }: VendorCall): Promise<void> {
  const address = placed(addressBelow("models", target, { verb: "?pageSize=1" }));
  takenBody(await send({ method: "GET", address }), readGoogleFault);
}

export async function listGoogleModels({ target, send }: VendorCall): Promise<string[]> {
  const address = placed(addressBelow("models", target, { verb: "?pageSize=1000" }));
  const { models: list = null } = takenBody(
    await send({ method: "GET", address }),
    readGoogleFault,
  );
  return namesIn(list, "name").map(bareName);
}
