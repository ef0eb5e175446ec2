// Requests of clients that mean no harm, as agents and applications send them: with addresses, data
// and ids in their texts, schemas, calls and results. Each has what was held for it before places
// were looked at one by one.
import type { HoldCase } from "./generate/cases.ts";

export interface HonestCase extends HoldCase {
  heldMicrosMax: number;
}

export const honestCases: readonly HonestCase[] = await Bun.file(
  new URL("honest.json", import.meta.url),
).json();
