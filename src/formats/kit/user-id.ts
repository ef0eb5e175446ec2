// The end user's id, on OpenAI's wires.
import { createHash } from "node:crypto";

const charactersMax = 64;

/** The vendor bounds its length, and needs it only to tell users apart. */
export function shortUserId(userId: string): string {
  if (userId.length <= charactersMax) return userId;
  return createHash("sha256").update(userId).digest("hex");
}
