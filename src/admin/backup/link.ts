// A backup has every secret of the gateway, so a browser gets it for a fresh proof alone, by a link
// that works once and in that session.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { commitSteps, spendOfTicket } from "../../identity/factors/queries.ts";
import { digest } from "../../identity/secrets.ts";
import { StoreError } from "../../store/store.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { toSeconds } from "../input.ts";
import { stepUp } from "../second-factor/prove.ts";
import type { Visitor } from "../session/visitor.ts";
import { existingBackup } from "./backups.ts";
import type { BackupCalls, LinkView } from "./contract.ts";
import type { BackupNeeds } from "./needs.ts";

export async function linkBackup(
  { people, backups }: BackupNeeds,
  operator: Operator,
  { name, visitor, body }: InputOf<BackupCalls["link"]> & { visitor: Visitor },
): Promise<LinkView> {
  existingBackup(backups, name);
  const { id: accountId } = await stepUp(people, operator, visitor, body);
  const facts = { accountId, proof: digest(name) };
  const { sessionId = "" } = operator;
  const { ticket, text } = people.secondFactors.tickets.make("backup", sessionId, facts);
  return {
    path: `/api/backup/${name}/file?ticket=${encodeURIComponent(text)}`,
    expires_at: toSeconds(ticket.expiresAtMs),
  };
}

/** The link is used up, and noted, before the first byte. */
export async function openByLink(
  { people, backups }: BackupNeeds,
  operator: Operator,
  { name, ticket: text }: { name: string; ticket: string },
): Promise<{ bytes: number; pieces: AsyncIterable<Uint8Array> }> {
  const { sessionId = null, accountId } = operator;
  const ticket = people.secondFactors.tickets.open(text, ["backup"], sessionId);
  if (ticket?.accountId !== accountId || ticket.proof !== digest(name)) {
    throw new GatewayError("invalid_state");
  }
  const opened = backups.open(name);
  if (!opened) throw new GatewayError("not_found");
  const { store } = noting(people, operator, { action: "backup.download", target: name });
  const spent = { id: ticket.id, expires_at_ms: ticket.expiresAtMs };
  try {
    await commitSteps(store, [spendOfTicket(people.database, spent)]);
  } catch (error) {
    const isUsed =
      error instanceof StoreError && (error.kind === "conflict" || error.kind === "constraint");
    throw isUsed ? new GatewayError("invalid_state", { cause: error }) : error;
  }
  return opened;
}
