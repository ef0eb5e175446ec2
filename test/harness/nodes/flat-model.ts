// A model with a price by the call, on one channel that two nodes know.
import type { Gateway } from "../gateway.ts";
import { agreement } from "./agreement.ts";
import type { Vendor } from "../vendor.ts";

export async function addFlatModel(
  [one, other]: readonly [Gateway, Gateway],
  vendor: Vendor,
  priceMicros: number,
): Promise<void> {
  await one.control("POST", "/api/price", { model: "flat", call_micros: priceMicros });
  await one.control("POST", "/api/channel", vendor.channel({ name: "only", models: ["flat"] }));
  await agreement([one.url, other.url]);
}
