// Check of a Kling key: its list of jobs costs nothing.
import { bearerAddress } from "../kit/bearer.ts";
import { takenBody } from "../kit/video-reply.ts";
import { type VendorCall, VendorRefusal } from "../upstream.ts";
import { readFault } from "./errors.ts";
import { bearerOf } from "./token.ts";

const version = /(?<!\/)\/v1$/;
const path = "/v1/videos/text2video?pageNum=1&pageSize=1";

export async function check({ target, nowSeconds, send }: VendorCall): Promise<void> {
  const token = bearerOf(target.key, nowSeconds);
  const reply = await send({
    method: "GET",
    address: bearerAddress(target, { path, version, token }),
  });
  const body = takenBody(reply, readFault);
  // An error may come in the envelope of a success.
  if (body["code"] !== 0) throw new VendorRefusal(readFault(reply.status, reply.headers, body));
}
