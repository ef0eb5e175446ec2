// Check of an Ark key: its list of tasks costs nothing.
import { bearerAddress } from "../kit/bearer.ts";
import { takenBody } from "../kit/video-reply.ts";
import type { VendorCall } from "../upstream.ts";
import { readCredentials, apiVersion } from "./credentials.ts";
import { readFault } from "./errors.ts";

const path = "/api/v3/contents/generations/tasks?page_num=1&page_size=1";

export async function check({ target, send }: VendorCall): Promise<void> {
  const { bearer: token } = readCredentials(target.key);
  const address = bearerAddress(target, { path, version: apiVersion, token });
  takenBody(await send({ method: "GET", address }), readFault);
}
