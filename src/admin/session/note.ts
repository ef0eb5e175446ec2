// Sign-ins on record: those that opened a session, in its own commit, and those that were refused.
// How often they can be refused is bounded by what slows guesses down.
import { wordsOfAgent } from "../../identity/access/agent-words.ts";
import type { AccountRow } from "../../identity/queries.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { noteAlone, noting, strangerActor, visitorActor } from "../audit/entry.ts";
import type { SignInNeeds } from "./needs.ts";
import type { Visitor } from "./visitor.ts";

/** Proof that somebody got in by. */
export type WayIn =
  "password" | "second factor" | "registration" | "new password" | "provider" | "link";

export async function openNoted(
  needs: SignInNeeds,
  visitor: Visitor,
  { account, way, provider }: { account: AccountRow; way: WayIn; provider?: string },
) {
  const marks = marksOf(needs, visitor, account);
  const id = needs.ids.session();
  const changes = { session: id, way, ...(provider !== undefined && { provider }) };
  const note = { action: "user.sign_in", target: account.id, changes } as const;
  const noted = noting(needs, visitorActor(account, visitor.ip), note);
  const isTold = marks !== null && marks.isNew && !ownWays.includes(way);
  const written = isTold ? await telling(needs, noted, { account, visitor }) : noted;
  const opened = await needs.sessions.open(account.id, visitor, visitor.session, {
    id,
    ...written,
  });
  return { ...opened, known: marks?.text ?? null };
}

/** Ways by which a person is told of anyway, or has no address yet. */
const ownWays: readonly WayIn[] = ["registration", "new password"];
const knownMax = 8;

/** Marks of the accounts that a browser is known to, this one first. */
function marksOf(
  { mail }: SignInNeeds,
  { known }: Visitor,
  account: AccountRow,
): { isNew: boolean; text: string } | null {
  if (!mail) return null;
  const mark = mail.browserMark(account);
  const before = (known ?? "").split(".").filter((one) => /^[0-9a-f]{32}$/.test(one));
  const others = before.filter((one) => one !== mark);
  const text = [mark, ...others].slice(0, knownMax).join(".");
  return { isNew: others.length === before.length, text };
}

async function telling(
  { mail }: SignInNeeds,
  written: { store: Store; database: Database },
  { account, visitor }: { account: AccountRow; visitor: Visitor },
): Promise<{ store: Store; database: Database }> {
  if (!mail) return written;
  const browser = wordsOfAgent(visitor.agent);
  const facts = { name: account.username, ip: visitor.ip, browser };
  return await mail.telling(written, account.id, { kind: "new_sign_in", facts });
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
