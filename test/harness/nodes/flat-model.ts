// A model with a price by the call, on one channel that two nodes know.
import { eventually } from "../books.ts";
import type { Gateway } from "../gateway.ts";
import type { Vendor } from "../vendor.ts";

export async function addFlatModel(
  [one, other]: readonly [Gateway, Gateway],
  vendor: Vendor,
  priceMicros: number,
): Promise<void> {
  await one.control("POST", "/api/price", { model: "flat", call_micros: priceMicros });
  await one.control("POST", "/api/channel", vendor.channel({ name: "only", models: ["flat"] }));
  await eventually("the channel on the other node", async () => {
    const listed = await other.controlEnvelope("GET", "/api/channel");
    return JSON.stringify(listed).includes('"only"') ? true : undefined;
  });
}
