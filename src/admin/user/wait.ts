// An account that used more than it could pay, again and again, waits for an operator. Enabling it
// lets it go on.
import type { AccountId } from "../../core/ids.ts";
import type { Authenticator } from "../../identity/authenticate.ts";
import { findAccount, updateAccount } from "../../identity/queries.ts";
import { noting, type Actor, type NotingNeeds } from "../audit/entry.ts";
import { exclusively } from "../exclusively.ts";

const gateway: Actor = {
  actor_id: null,
  actor_name: "gateway",
  actor_role: null,
  carrier: "config",
  ip: null,
};

export async function makeWait(
  needs: NotingNeeds & { authenticator: Pick<Authenticator, "forget"> },
  id: AccountId,
): Promise<void> {
  await exclusively(needs, "identity", async () => {
    const account = await findAccount(needs.database, id);
    if (!account || account.waits_since_ms !== null) return;
    const changes = { status: { from: account.status, to: "waiting" } };
    const note = { action: "user.wait", target: id, changes } as const;
    const { store, database } = noting(needs, gateway, note);
    await updateAccount(store, database, id, { waits_since_ms: needs.clock.nowMs() });
    needs.authenticator.forget();
  });
}
