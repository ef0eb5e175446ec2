// Vendor protocols and formats: the call with its function.
import { formats } from "../../formats/index.ts";
import { upstreams } from "../../upstreams/index.ts";
import { bind } from "../bind.ts";
import { vendorCalls, type VendorKinds } from "./contract.ts";

async function listKinds(): Promise<VendorKinds> {
  const known = Object.values(formats);
  return {
    types: Object.keys(upstreams),
    formats: known.filter(({ upstream }) => upstream !== null).map(({ name }) => name),
    client_formats: known.filter(({ client }) => client !== null).map(({ name }) => name),
  };
}

export const vendorVerbs = bind(vendorCalls, { kinds: listKinds });
