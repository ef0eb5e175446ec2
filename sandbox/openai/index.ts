// The vendor that speaks OpenAI's wire.
import type { Vendor, VendorWorld } from "../vendor.ts";
import { answerOrRefuse } from "./answer.ts";
import { ResponseMemory } from "./responses/memory.ts";

export function createOpenai({ clock, words, jobs }: VendorWorld): Vendor {
  const memory = new ResponseMemory();
  let count = 0;
  return {
    prefix: "/openai",
    answer(request) {
      const serial = String(++count).padStart(8, "0");
      const origin = { serial, nowMs: clock.nowMs(), words, memory, jobs };
      const answer = answerOrRefuse(request, origin);
      return { ...answer, headers: { ...answer.headers, "x-request-id": `req_${serial}` } };
    },
  };
}
