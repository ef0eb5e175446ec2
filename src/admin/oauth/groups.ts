// Seats and roles that groups of an identity provider give, brought up to date at each sign-in.
// Where the provider did not tell them nothing changes, and only what came by its groups goes with
// them.
import type { GroupRules } from "../../config/oauth.ts";
import { dayMs } from "../../core/day.ts";
import type { AccountId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { updateGivenRole } from "../../identity/oauth/queries.ts";
import {
  changesOfLeaving,
  readSeatsOf,
  updateKeysUntil,
  upsertOfMember,
  type FoundSeat,
} from "../../identity/organisations/queries.ts";
import type { AccountRow } from "../../identity/queries.ts";
import { roleColumnsOf, roleOf } from "../../identity/roles/rights.ts";
import { commitTogether, type Database } from "../../store/database.ts";
import { noting, visitorActor } from "../audit/entry.ts";
import type { Arrival } from "./arrival.ts";
import type { Comer } from "./begin.ts";
import type { OAuthNeeds } from "./needs.ts";
import { givenBy, wantedRole, wantedSeats } from "./wanted-seats.ts";

/** So often the end of keys is moved on: each time all nodes look their callers up again. */
const renewalMs = 3_600_000;

interface Known {
  account: AccountRow;
  /** Role that the identity has given before. */
  givenRole: string | null;
}

/** Returns the account as it is afterwards. */
export async function followGroups(
  needs: OAuthNeeds,
  comer: Comer,
  arrival: Arrival,
  { account, givenRole }: Known,
): Promise<AccountRow> {
  const rules = needs.oauth.groups.get(arrival.provider);
  if (!rules) return account;
  const { groups = null } = arrival.person;
  if (groups === null) {
    const { provider } = arrival;
    needs.log.warn("a provider did not tell the groups", { provider, account: account.id });
    await renewKeys(needs, arrival, account.id, rules);
    return account;
  }
  const memberships = givenBy(rules, groups);
  const wanted = await wantedRole(needs, memberships);
  const after = await followRole(needs, comer, arrival, { account, givenRole, wanted, rules });
  await followSeats(needs, comer, arrival, { account, rules, memberships });
  return after;
}

/** Somebody was seen, whatever was told of them. */
async function renewKeys(
  { database, clock, authenticator }: OAuthNeeds,
  { provider }: Arrival,
  accountId: AccountId,
  rules: GroupRules,
): Promise<void> {
  const untilMs = endOfKeys(rules, clock.nowMs());
  if (untilMs === null) return;
  const source = sourceOf(provider);
  const seats = await readSeatsOf(database, accountId);
  const isDue = (seat: FoundSeat) => seat.source === source && !isNear(seat.keys_until_ms, untilMs);
  if (!seats.some(isDue)) return;
  await updateKeysUntil(database, { accountId, source }, untilMs);
  authenticator.forget();
}

/** Mark of the seats that came by the groups of the provider. */
export function sourceOf(provider: string): string {
  return `oidc:${provider}`;
}

function endOfKeys({ keysNeedSignInDays: days }: GroupRules, nowMs: number): number | null {
  return days === null ? null : nowMs + days * dayMs;
}

interface RoleAsk extends Known {
  wanted: string | null;
  rules: GroupRules;
}

/** Root stays root, and a role that was given by hand stays. */
async function followRole(
  needs: OAuthNeeds,
  comer: Comer,
  arrival: Arrival,
  { account, givenRole, wanted, rules }: RoleAsk,
): Promise<AccountRow> {
  const before = roleOf(account);
  if (before !== "user" && before !== givenRole) return account;
  const role = wanted ?? (rules.prune ? "user" : before);
  if (role === before) return account;
  const { provider } = arrival;
  const changes = { role: { from: before, to: role }, provider };
  const note = { action: "user.groups", target: account.id, changes } as const;
  const { store, database } = noting(needs, visitorActor(account, comer.ip), note);
  await updateGivenRole(store, database, { provider, accountId: account.id }, role);
  needs.authenticator.forget();
  return { ...account, ...roleColumnsOf(role) };
}

interface SeatAsk {
  account: AccountRow;
  rules: GroupRules;
  memberships: GroupRules["memberships"];
}

type Wanted = Awaited<ReturnType<typeof wantedSeats>>;

/** A seat that was given by hand, or by another provider, is let be. */
async function followSeats(
  needs: OAuthNeeds,
  comer: Comer,
  arrival: Arrival,
  { account, rules, memberships }: SeatAsk,
): Promise<void> {
  const source = sourceOf(arrival.provider);
  const wanted = await wantedSeats(needs, memberships);
  const seats = await readSeatsOf(needs.database, account.id);
  const lost = rules.prune
    ? seats.filter((seat) => seat.source === source && !wanted.has(seat.organisation_id))
    : [];
  const nowMs = needs.clock.nowMs();
  const keysUntilMs = endOfKeys(rules, nowMs);
  const gained = gainedOf(wanted, seats, { source, keysUntilMs });
  if (gained.length === 0 && lost.length === 0) return;
  const queries = (database: Database) => [
    ...gained.map((seat) =>
      upsertOfMember(database, { ...seat, person_id: account.id, created_at_ms: nowMs }),
    ),
    ...lost.flatMap((seat) => changesOfLeaving(database, { ...seat, keepsKeys: false, nowMs })),
  ];
  const changes = noteOf(seats, gained, lost);
  const note = { action: "user.groups", target: account.id, changes } as const;
  // A later end of keys alone is no change that somebody has to know of.
  const isTold = Object.keys(changes).length > 0;
  const { store, database } = isTold ? noting(needs, visitorActor(account, comer.ip), note) : needs;
  await commitTogether(store, queries(database));
  needs.authenticator.forget();
}

type GainedSeat = Pick<
  FoundSeat,
  "organisation_id" | "role" | "source" | "project_id" | "keys_until_ms"
>;

function gainedOf(
  wanted: Wanted,
  seats: readonly FoundSeat[],
  { source, keysUntilMs }: { source: string; keysUntilMs: number | null },
): GainedSeat[] {
  return Array.from(wanted).flatMap(([organisation_id, { role, projectId }]) => {
    const before = seats.find((seat) => seat.organisation_id === organisation_id);
    const seat = {
      organisation_id,
      role,
      source,
      project_id: projectId,
      keys_until_ms: keysUntilMs,
    };
    if (!before) return [seat];
    if (before.source !== source || isSame(before, seat)) return [];
    return [seat];
  });
}

function isSame(before: FoundSeat, seat: GainedSeat): boolean {
  const hasSameEnd = isNear(before.keys_until_ms, seat.keys_until_ms);
  return hasSameEnd && before.role === seat.role && before.project_id === seat.project_id;
}

function isNear(was: number | null, is: number | null): boolean {
  return was === is || (was !== null && is !== null && Math.abs(is - was) < renewalMs);
}

function noteOf(
  seats: readonly FoundSeat[],
  gained: readonly GainedSeat[],
  lost: readonly FoundSeat[],
): JsonObject {
  const roles = new Map<AccountId, string>(seats.map((seat) => [seat.organisation_id, seat.role]));
  const changed = gained.filter((seat) => roles.get(seat.organisation_id) !== seat.role);
  const toNote = (all: readonly GainedSeat[]) =>
    all.map(({ organisation_id: organisation, role }) => ({ organisation, role }));
  return {
    ...(changed.length > 0 && { gained: toNote(changed) }),
    ...(lost.length > 0 && { lost: toNote(lost) }),
  };
}
