// The vendor that speaks OpenAI's wire.
import type { Vendor, VendorWorld } from "../vendor.ts";
import { answerOrRefuse } from "./answer.ts";

export function createOpenai({ clock, words }: VendorWorld): Vendor {
  let count = 0;
  return {
    prefix: "/openai",
    answer(request) {
      const serial = String(++count).padStart(8, "0");
      const createdSeconds = Math.floor(clock.nowMs() / 1000);
      const answer = answerOrRefuse(request, { serial, createdSeconds, words });
      return { ...answer, headers: { ...answer.headers, "x-request-id": `req_${serial}` } };
    },
  };
}
