// Small pieces that the verbs read their input with.
import { GatewayError } from "../core/errors.ts";
import type {
  AccountId,
  BudgetId,
  ChannelId,
  IdentityId,
  InvitationId,
  KeyId,
  PasskeyId,
  ProjectId,
  RedemptionId,
  SessionId,
  TokenId,
} from "../core/ids.ts";
import type { Json, JsonObject } from "../core/json.ts";
import { StoreError } from "../store/store.ts";

const idTail = /^[0-9a-hjkmnp-tv-z]{26}$/;

export const readChannelId = (text: string): ChannelId => readId(text, "chn_") as ChannelId;
export const readKeyId = (text: string): KeyId => readId(text, "key_") as KeyId;
export const readAccountId = (text: string): AccountId => readId(text, "acc_") as AccountId;
export const readSessionId = (text: string): SessionId => readId(text, "ses_") as SessionId;
export const readTokenId = (text: string): TokenId => readId(text, "tok_") as TokenId;
export const readIdentityId = (text: string) => readId(text, "idn_") as IdentityId;
export const readInvitationId = (text: string) => readId(text, "inv_") as InvitationId;
export const readRedemptionId = (text: string) => readId(text, "rdm_") as RedemptionId;
export const readBudgetId = (text: string): BudgetId => readId(text, "bud_") as BudgetId;
export const readPasskeyId = (text: string): PasskeyId => readId(text, "pky_") as PasskeyId;
export const readProjectId = (text: string): ProjectId => readId(text, "prj_") as ProjectId;

/** A text that cannot be an id is answered like an id that is not there. */
export function readId(text: string, prefix: string): string {
  if (isId(text, prefix)) return text;
  throw new GatewayError("not_found");
}

export function isId(text: string, prefix: string): boolean {
  return text.startsWith(prefix) && idTail.test(text.slice(prefix.length));
}

export function existing<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new GatewayError("not_found");
  return value;
}

/**
 * Every field of an input, by name. A row that is turned back into its input satisfies it, so that
 * a field that is forgotten does not compile: each PATCH would erase it.
 */
export type InputFields<Input, Apart extends keyof Input = never> = Readonly<
  Record<Exclude<keyof Input, Apart>, Json>
>;

/** JSON merge patch (RFC 7396) of the top level alone: null takes a field out. */
export function mergePatch(current: JsonObject, patch: JsonObject): JsonObject {
  const changed = Object.entries(patch);
  const isReplaced = new Set(changed.map(([name]) => name));
  const kept = Object.entries(current).filter(([name]) => !isReplaced.has(name));
  return Object.fromEntries([...kept, ...changed.filter(([, value]) => value !== null)]);
}

/** A row that must be the only one of its name answers with a conflict when it is not. */
export function orConflict<Result>(work: Promise<Result>, message: string): Promise<Result> {
  return work.catch((cause: unknown) => {
    if (!(cause instanceof StoreError) || cause.kind !== "constraint") throw cause;
    throw new GatewayError("conflict", { message, cause });
  });
}

/** Answer "not found" for work that demands a missing row. */
export function orNotFound<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((cause: unknown) => {
    if (!(cause instanceof StoreError) || cause.kind !== "conflict") throw cause;
    throw new GatewayError("not_found", { cause });
  });
}

export function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

export function toSecondsOrNull(ms: number | null): number | null {
  return ms === null ? null : toSeconds(ms);
}
