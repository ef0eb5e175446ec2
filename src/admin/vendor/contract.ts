// Vendor protocols and formats that channels can have, and their call.
import { text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { callsOf } from "../call.ts";

export const VendorKinds = Type.Object({
  types: Type.Array(text(), { description: "Vendor protocols, as `type` of a channel." }),
  formats: Type.Array(text(), { description: "Text formats, as `format` of a channel." }),
  client_formats: Type.Array(text(), { description: "Text formats that clients may ask in." }),
});
export type VendorKinds = Static<typeof VendorKinds>;

const { call } = callsOf("Channels");

export const vendorCalls = {
  kinds: call("GET /api/vendor", "List what channels can speak", {
    permission: "channels.read",
    answer: VendorKinds,
  }),
};
export type VendorCalls = typeof vendorCalls;
