// Facts of a vendor's answer besides its error: the status, and the id by which the vendor knows
// the request.
import type { Fault } from "./upstream.ts";

const idHeaders = [
  "x-request-id",
  "request-id",
  "x-amzn-requestid",
  "apim-request-id",
  "x-tt-logid",
];
const idCharactersMax = 100;

export function heardFault(fault: Fault, status: number, headers: Headers): Fault {
  const id = readVendorId(headers);
  return id === null
    ? { ...fault, httpStatus: status }
    : { ...fault, httpStatus: status, vendorRequestId: id };
}

/** Null where it gives none, or one that nobody would write down. */
function readVendorId(headers: Headers): string | null {
  for (const name of idHeaders) {
    const id = headers.get(name);
    if (id !== null && /^[\x21-\x7e]+$/.test(id)) return id.slice(0, idCharactersMax);
  }
  return null;
}
