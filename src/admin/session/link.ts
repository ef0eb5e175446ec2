// Links by which somebody signs in once without a password: printed where only the operator reads.
import { GatewayError } from "../../core/errors.ts";
import type { Random } from "../../core/random.ts";
import type { Operator } from "../../identity/caller.ts";
import { findLink, insertLink, spendOfLink } from "../../identity/factors/queries.ts";
import { findAccount, type AccountRow } from "../../identity/queries.ts";
import { roleOf } from "../../identity/roles/rights.ts";
import { createLinkText, digest, readSpelt } from "../../identity/secrets.ts";
import { commitTogether } from "../../store/database.ts";
import { StoreError } from "../../store/store.ts";
import { noting, visitorActor } from "../audit/entry.ts";
import { assertMayEdit, assertPerson } from "../authority.ts";
import type { InputOf } from "../call.ts";
import { existing, readAccountId, toSeconds } from "../input.ts";
import { askFactor, type AskedFactor } from "../second-factor/ask.ts";
import type { EnterCalls, SignInLink } from "./contract.ts";
import type { SignInNeeds } from "./needs.ts";
import { openSession, type SignedIn } from "./open.ts";
import type { Visitor } from "./visitor.ts";

const linkTtlMs = 15 * 60_000;

export interface LinkNeeds {
  people: SignInNeeds & { random: Random };
  /** Address at which people open the gateway. */
  baseUrl(): string;
}

type Proven = Pick<AccountRow, "id" | "password_hash" | "role" | "staff_role">;

/** A link that was made for somebody below does not enter one who rises meanwhile. */
function proofOf(account: Proven): string {
  return digest(`${account.password_hash} ${roleOf(account)}`);
}

/** The fragment behind `#` is sent to no server, and so to no log. */
export async function makeLink(
  { database, clock, random }: Pick<LinkNeeds["people"], "database" | "clock" | "random">,
  baseUrl: string,
  account: Proven,
): Promise<{ url: string; expiresAtMs: number }> {
  const text = createLinkText(random);
  const expiresAtMs = clock.nowMs() + linkTtlMs;
  await insertLink(database, {
    hash: hashOf(text),
    account_id: account.id,
    proof: proofOf(account),
    expires_at_ms: expiresAtMs,
  });
  return { url: `${baseUrl}/#link=${text}`, expiresAtMs };
}

/** The same for whatever case and dashes it was copied in. */
function hashOf(text: string): string {
  return digest(readSpelt(text) ?? "");
}

export async function createLink(
  { people, baseUrl }: LinkNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<SignInLink> {
  const account = existing(await findAccount(people.database, readAccountId(id)));
  assertPerson(account);
  await assertMayEdit(people, operator, account);
  const note = { action: "user.link", target: account.id } as const;
  const { clock, random } = people;
  const { database } = noting(people, operator, note);
  const { url, expiresAtMs } = await makeLink({ database, clock, random }, baseUrl(), account);
  return { url, expires_at: toSeconds(expiresAtMs) };
}

/** A link that opens nothing, or nothing any more. */
export class RefusedLink extends GatewayError {
  /** Account that it was made for; null for a text that is no link. */
  readonly account: AccountRow | null;

  constructor(account: AccountRow | null, options: { cause?: unknown } = {}) {
    super("invalid_state", options);
    this.account = account;
  }
}

/** Once; a new password ends it, and a second factor is asked for all the same. */
export async function signInByLink(
  needs: SignInNeeds,
  visitor: Visitor,
  { body: { link } }: InputOf<EnterCalls["signInByLink"]>,
): Promise<SignedIn | AskedFactor> {
  const kept = await findLink(needs.database, hashOf(link));
  const account = kept && (await findAccount(needs.database, kept.account_id));
  const isOver = kept === null || kept.expires_at_ms <= needs.clock.nowMs();
  const isGood = account?.status === "enabled" && kept?.proof === proofOf(account);
  if (isOver || !account || !isGood) throw new RefusedLink(account);
  const note = { action: "user.link_used", target: account.id } as const;
  const { store } = noting(needs, visitorActor(account, visitor.ip), note);
  const spent = spendOfLink(needs.database, kept.hash);
  await commitTogether(store, [spent]).catch((cause: unknown) => {
    if (!(cause instanceof StoreError) || cause.kind !== "conflict") throw cause;
    throw new RefusedLink(account, { cause });
  });
  const challenge = await askFactor(needs, account);
  return challenge ?? (await openSession(needs, visitor, { account, way: "link" }));
}
