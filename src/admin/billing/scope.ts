// Money that a key may see: its own, where it has a limit of its own or is a member's, or its
// account's.
import type { Clock } from "../../core/clock.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Caller } from "../../identity/caller.ts";
import type { Balances } from "../../quota/balances.ts";
import type { Store } from "../../store/store.ts";
import type { RecordNeeds } from "../record-needs.ts";

export interface BillingNeeds {
  balances: Balances;
  clock: Clock;
  store: Store;
  ledger: RecordNeeds["ledger"];
}

export interface BillingScope {
  /** Null: as much as it likes. */
  limitMicros: number | null;
  spentMicros: number;
  /** Conditions that find its sums. */
  sums: { accountId: string; keyIds?: readonly string[] };
}

/** From the balances that admission works on, so exact at every moment. */
export async function findScope({ balances }: BillingNeeds, caller: Caller): Promise<BillingScope> {
  const { accountId, keyId } = caller;
  const [account, key] = await Promise.all([balances.account(accountId), balances.key(keyId)]);
  if (!account || !key) throw new GatewayError("invalid_api_key");
  // A member sees its own alone: neither the balance nor the spend of its organisation.
  if (key.limitMicros !== null || caller.isOfMember) {
    const { limitMicros, spentMicros } = key;
    return { limitMicros, spentMicros, sums: { accountId, keyIds: [keyId] } };
  }
  const { unlimited, availableMicros, heldMicros, spentMicros } = account;
  const limitMicros = unlimited ? null : availableMicros + heldMicros + spentMicros;
  return { limitMicros, spentMicros, sums: { accountId } };
}
