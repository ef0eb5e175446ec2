// Sign-ins on record: those that opened a session, in its own commit, and those that were refused.
// How often they can be refused is bounded by what slows guesses down.
import type { Browser } from "../../identity/access/sessions.ts";
import type { AccountRow } from "../../identity/queries.ts";
import { noteAlone, noting, strangerActor, visitorActor } from "../audit/entry.ts";
import type { SignInNeeds } from "./needs.ts";

/** Proof that somebody got in by. */
export type WayIn =
  "password" | "second factor" | "registration" | "new password" | "provider" | "link";

export async function openNoted(
  needs: SignInNeeds,
  visitor: Browser & { session: string | null },
  { account, way, provider }: { account: AccountRow; way: WayIn; provider?: string },
) {
  const id = needs.ids.session();
  const changes = { session: id, way, ...(provider !== undefined && { provider }) };
  const note = { action: "user.sign_in", target: account.id, changes } as const;
  const written = noting(needs, visitorActor(account, visitor.ip), note);
  return await needs.sessions.open(account.id, visitor, visitor.session, { id, ...written });
}

/** The name is not kept where nobody has it: people type passwords into the wrong field. */
export async function noteRefusal(
  needs: SignInNeeds,
  account: AccountRow | null,
  { ip, way }: { ip: string; way: "password" | "passkey" | "provider" | "link" },
): Promise<void> {
  const by = account ? visitorActor(account, ip) : strangerActor(ip);
  const target = account?.id ?? "unknown";
  await noteAlone(needs, by, { action: "user.sign_in_refused", target, changes: { way } });
}
