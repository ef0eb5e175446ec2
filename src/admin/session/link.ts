// Links by which somebody signs in once without a password: printed where only the operator reads.
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { compile, parseWith, Type } from "../../core/schema.ts";
import type { Operator } from "../../identity/caller.ts";
import { spendOfTicket } from "../../identity/factors/queries.ts";
import type { Tickets } from "../../identity/factors/tickets.ts";
import { findAccount, type AccountRow } from "../../identity/queries.ts";
import { digest } from "../../identity/secrets.ts";
import { commitTogether } from "../../store/database.ts";
import { StoreError } from "../../store/store.ts";
import { noteAlone, noting, visitorActor } from "../audit/entry.ts";
import type { SignInLink } from "../contract.ts";
import { existing, readAccountId, toSeconds } from "../input.ts";
import { askFactor, type AskedFactor } from "../second-factor/ask.ts";
import type { SignInNeeds } from "./needs.ts";
import { openSession, type SignedIn, type Visitor } from "./open.ts";

const linkTtlMs = 15 * 60_000;
/** Whoever has the link is who it is for, in whichever browser. */
const holder = "whoever has the link";

export interface LinkNeeds {
  people: SignInNeeds;
  /** Where people open the gateway. */
  baseUrl(): string;
}

export const linkChecker = compile(
  Type.Object(
    { link: Type.String({ minLength: 1, maxLength: 4096, description: "What follows `#link=`." }) },
    { additionalProperties: false },
  ),
);

/** What stands behind `#` is sent to no server, and so to no log. */
export function makeLink(
  { tickets, baseUrl }: { tickets: Tickets; baseUrl: string },
  account: Pick<AccountRow, "id" | "password_hash">,
): { url: string; expiresAtMs: number } {
  const proof = digest(account.password_hash);
  const facts = { accountId: account.id, proof, ttlMs: linkTtlMs };
  const { ticket, text } = tickets.make("link", holder, facts);
  return { url: `${baseUrl}/#link=${text}`, expiresAtMs: ticket.expiresAtMs };
}

export async function createLink(
  { people, baseUrl }: LinkNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<SignInLink> {
  const account = existing(await findAccount(people.database, readAccountId(id)));
  const { tickets } = people.secondFactors;
  const { url, expiresAtMs } = makeLink({ tickets, baseUrl: baseUrl() }, account);
  const note = { action: "user.link", target: account.id } as const;
  await noteAlone(people, operator, note);
  return { url, expires_at: toSeconds(expiresAtMs) };
}

/** Once; a new password ends it, and a second factor is asked for all the same. */
export async function signInByLink(
  needs: SignInNeeds,
  visitor: Visitor,
  body: JsonObject,
): Promise<SignedIn | AskedFactor> {
  const { link } = parseWith(linkChecker, body);
  const ticket = needs.secondFactors.tickets.open(link, ["link"], holder);
  const account = ticket?.accountId ? await findAccount(needs.database, ticket.accountId) : null;
  const isGood = account?.status === "enabled" && ticket?.proof === digest(account.password_hash);
  if (!ticket || !account || !isGood) throw new GatewayError("invalid_state");
  const note = { action: "user.link_used", target: account.id } as const;
  const { store } = noting(needs, visitorActor(account, visitor.ip), note);
  const { id, expiresAtMs: expires_at_ms } = ticket;
  const spent = spendOfTicket(needs.database, { id, expires_at_ms });
  await commitTogether(store, [spent]).catch((cause: unknown) => {
    if (!(cause instanceof StoreError) || cause.kind !== "constraint") throw cause;
    throw new GatewayError("invalid_state", { cause });
  });
  const challenge = await askFactor(needs, account);
  return challenge ?? (await openSession(needs, visitor, { account, way: "link" }));
}
