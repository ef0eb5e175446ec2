import type { Operator } from "../../identity/caller.ts";
import type { KeyView } from "../contract.ts";
import type { ControlParts } from "../parts.ts";
import { findVisible } from "./find.ts";
import { viewRow } from "./view.ts";

export async function readKey(
  parts: ControlParts,
  operator: Operator,
  { id }: { id: string },
): Promise<KeyView> {
  return await viewRow(parts, await findVisible(parts, operator, id));
}
