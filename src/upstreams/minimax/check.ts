// Check of a MiniMax key: its list of tasks costs nothing.
import { bearerAddress } from "../kit/bearer.ts";
import { takenBody } from "../kit/video-reply.ts";
import type { VendorCall } from "../upstream.ts";
import { readFault } from "./errors.ts";

const version = /(?<!\/)\/v[12]$/;
const path = "/v2/query/video_generation?page_num=1&page_size=1";

export async function check({ target, send }: VendorCall): Promise<void> {
  const address = bearerAddress(target, { path, version });
  takenBody(await send({ method: "GET", address }), readFault);
}
