// A request below a project, and the wires that it is answered by.
import type { Vendor, VendorRequest } from "../vendor.ts";
import type { VertexRoute } from "./route.ts";

export interface VertexVendors {
  google: Vendor;
  anthropic: Vendor;
  openai: Vendor;
}

export interface VertexAsk extends VertexRoute {
  request: VendorRequest;
  /** The project, or the key of express mode: it stays, whichever token comes. */
  caller: string;
}
