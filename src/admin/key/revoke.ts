// Ends an API key for good.
import type { Operator } from "../../identity/caller.ts";
import { updateKey } from "../../identity/queries.ts";
import { noting } from "../audit/entry.ts";
import { exclusively } from "../exclusively.ts";
import type { KeyNeeds } from "./needs.ts";
import { findChangeable } from "./find.ts";

/** The row stays for the ledger; the key is gone from every list and never works again. */
export async function revokeKey(
  needs: KeyNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  const { authenticator, clock } = needs;
  return await exclusively(needs, "identity", async () => {
    const row = await findChangeable(needs, operator, id);
    const changes = { account: row.username, name: row.name };
    const note = { action: "key.revoke", target: row.id, changes } as const;
    const { store, database } = noting(needs, operator, note);
    await updateKey(store, database, row.id, {
      row: { status: "disabled", declared: 0, deleted_at_ms: clock.nowMs() },
    });
    authenticator.forgetKey(row.hash, row.previous_hash);
    return { id: row.id };
  });
}
