// The vendor that speaks Google's wire.
import type { Vendor, VendorWorld } from "../vendor.ts";
import { answerOrRefuse } from "./answer.ts";

export function createGoogle({ words, jobs }: VendorWorld): Vendor {
  let count = 0;
  return {
    prefix: "/google",
    answer: (request) =>
      answerOrRefuse(request, { serial: String(++count).padStart(8, "0"), words, jobs }),
  };
}
