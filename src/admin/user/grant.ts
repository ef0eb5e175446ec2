// Credit and its entry in the audit log, both or neither.
import type { Operator } from "../../identity/caller.ts";
import type { AccountBalance } from "../../quota/balance.ts";
import type { Grant } from "../../quota/ledger.ts";
import type { Micros } from "../../core/money.ts";
import { joinedEntry, type NotingNeeds } from "../audit/entry.ts";
import type { UserNeeds } from "./needs.ts";

/** Sums stay exact far beyond this. */
const grantedMicrosMax = 4_000_000_000_000_000;

export function hasRoomFor({ grantedMicros }: AccountBalance, micros: number): boolean {
  return grantedMicros + micros <= grantedMicrosMax;
}

/** Returns what was given, or taken. */
export async function grantNoted(
  needs: Pick<UserNeeds, "ledger" | keyof NotingNeeds>,
  operator: Operator,
  grant: Omit<Grant, "actor" | "joined">,
): Promise<Micros> {
  const { id: entry, reason, account } = grant;
  return await needs.ledger.grant({
    ...grant,
    actor: operator.username,
    joined: (micros) => [
      joinedEntry(needs, operator, {
        action: "user.credit",
        target: account.id,
        changes: { micros, reason, entry },
      }),
    ],
  });
}
