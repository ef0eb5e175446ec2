// The vendor that speaks Anthropic's wire.
import type { Vendor, VendorWorld } from "../vendor.ts";
import { answerOrRefuse } from "./answer.ts";

export function createAnthropic({ words }: VendorWorld): Vendor {
  let count = 0;
  return {
    prefix: "/anthropic",
    answer(request) {
      const serial = String(++count).padStart(8, "0");
      const requestId = `req_${serial}`;
      const answer = answerOrRefuse(request, { serial, requestId, words });
      return { ...answer, headers: { ...answer.headers, "request-id": requestId } };
    },
  };
}
