// Shows one API key.
import type { Operator } from "../../identity/caller.ts";
import type { KeyView } from "./contract.ts";
import type { KeyNeeds } from "./needs.ts";
import { findVisible } from "./find.ts";
import { viewRow } from "./view.ts";

export async function readKey(
  needs: KeyNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<KeyView> {
  return await viewRow(needs, await findVisible(needs, operator, id));
}
