// Deletes a code for credit.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { noting } from "../audit/entry.ts";
import { exclusively } from "../exclusively.ts";
import { existing, readRedemptionId } from "../input.ts";
import type { RedemptionNeeds } from "./needs.ts";
import { deleteRedemption, readRedemption } from "./queries.ts";

/** The code works no more. One that was redeemed stays, for it explains a credit. */
export async function removeRedemption(
  needs: RedemptionNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  const redemptionId = readRedemptionId(id);
  // In turn with redeeming, so that a code is never gone between its check and its credit.
  return await exclusively(needs, "credits", async () => {
    await needs.store.applied();
    const row = existing(await readRedemption(needs.database, redemptionId));
    if (row.redeemed_at_ms !== null) {
      throw new GatewayError("conflict", { message: "The code has been redeemed." });
    }
    const changes = { name: row.name, micros: row.micros };
    const note = { action: "redemption.remove", target: redemptionId, changes } as const;
    const { store, database } = noting(needs, operator, note);
    await deleteRedemption(store, database, redemptionId);
    return { id: redemptionId };
  });
}
