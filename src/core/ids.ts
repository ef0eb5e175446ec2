// Ids: a prefix for the type, then time-ordered characters, so that rows append and logs sort.
import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type RequestId = Branded<"RequestId">;
export type AccountId = Branded<"AccountId">;
export type KeyId = Branded<"KeyId">;
export type ChannelId = Branded<"ChannelId">;
export type TokenId = Branded<"TokenId">;
export type TaskId = Branded<"TaskId">;
export type SessionId = Branded<"SessionId">;
export type InvitationId = Branded<"InvitationId">;
export type AssetId = Branded<"AssetId">;
export type IdentityId = Branded<"IdentityId">;
export type RedemptionId = Branded<"RedemptionId">;
export type PasskeyId = Branded<"PasskeyId">;
export type ProjectId = Branded<"ProjectId">;
export type BudgetId = Branded<"BudgetId">;

const prefixes = {
  request: "req_",
  account: "acc_",
  key: "key_",
  channel: "chn_",
  token: "tok_",
  session: "ses_",
  invitation: "inv_",
  operation: "op_",
  task: "task_",
  asset: "asset_",
  media: "media_",
  identity: "idn_",
  redemption: "rdm_",
  passkey: "pky_",
  project: "prj_",
  budget: "bud_",
  audit: "aud_",
} as const;

export interface Ids {
  request(): RequestId;
  account(): AccountId;
  key(): KeyId;
  channel(): ChannelId;
  token(): TokenId;
  session(): SessionId;
  invitation(): InvitationId;
  operation(): string;
  task(): TaskId;
  asset(): AssetId;
  media(): string;
  identity(): IdentityId;
  redemption(): RedemptionId;
  passkey(): PasskeyId;
  project(): ProjectId;
  budget(): BudgetId;
  audit(): string;
  /** An id of a kind that only its own folder knows. */
  of(prefix: `${string}_`): string;
}

// Crockford's alphabet sorts like the numbers it stands for.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
/** Values of characters, by their code. */
const digits = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, alphabet.indexOf(String.fromCharCode(code))),
);
const stampCharacters = 10;
/** Two characters of a stamp change by the millisecond, those before them about once a second. */
const endings = Array.from(alphabet, (tens) => Array.from(alphabet, (one) => tens + one)).flat();
const randomCharacters = 16;
const poolCharacters = 64 * randomCharacters;

/** Ten characters of milliseconds and sixteen random ones (80 bits). */
export function createIds(clock: Clock, random: Random): Ids {
  // Drawn and spelled one by one, the ids of a request took 4 us of its 190; so they take 1.
  let pool = "";
  let used = 0;
  let startedAt = -1;
  let start = "";
  function next(): string {
    const nowMs = clock.nowMs();
    const second = Math.floor(nowMs / endings.length);
    if (second !== startedAt) {
      startedAt = second;
      start = spellNumber(second, stampCharacters - 2);
    }
    if (used === pool.length) {
      pool = spell(random.bytes(poolCharacters));
      used = 0;
    }
    const from = used;
    used += randomCharacters;
    return start + endings[nowMs % endings.length] + pool.slice(from, used);
  }
  let latest = "";
  /** Later than all before it, also within a millisecond: entries are listed by their ids. */
  function nextInOrder(): string {
    const text = next();
    return (latest = text > latest ? text : successorOf(latest));
  }
  return {
    request: () => (prefixes.request + next()) as RequestId,
    account: () => (prefixes.account + next()) as AccountId,
    key: () => (prefixes.key + next()) as KeyId,
    channel: () => (prefixes.channel + next()) as ChannelId,
    token: () => (prefixes.token + next()) as TokenId,
    session: () => (prefixes.session + next()) as SessionId,
    invitation: () => (prefixes.invitation + next()) as InvitationId,
    operation: () => prefixes.operation + next(),
    task: () => (prefixes.task + next()) as TaskId,
    asset: () => (prefixes.asset + next()) as AssetId,
    media: () => prefixes.media + next(),
    identity: () => (prefixes.identity + next()) as IdentityId,
    redemption: () => (prefixes.redemption + next()) as RedemptionId,
    passkey: () => (prefixes.passkey + next()) as PasskeyId,
    project: () => (prefixes.project + next()) as ProjectId,
    budget: () => (prefixes.budget + next()) as BudgetId,
    audit: () => prefixes.audit + nextInOrder(),
    of: (prefix) => prefix + next(),
  };
}

/** The next text of the alphabet in the order of texts. */
function successorOf(text: string): string {
  let at = text.length - 1;
  while (at > 0 && text[at] === alphabet.at(-1)) at--;
  const raised = alphabet[(digits[text.charCodeAt(at)] ?? 0) + 1] ?? "";
  return text.slice(0, at) + raised + "0".repeat(text.length - 1 - at);
}

/** One character for each byte. */
function spell(bytes: Uint8Array): string {
  const letters = Buffer.alloc(bytes.length);
  for (let at = 0; at < bytes.length; at++) {
    letters[at] = alphabet.charCodeAt((bytes[at] ?? 0) & 31);
  }
  return letters.toString("latin1");
}

function spellNumber(value: number, characters: number): string {
  let rest = value;
  let text = "";
  for (let at = 0; at < characters; at++) {
    text = (alphabet[rest % 32] ?? "0") + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** The millisecond in which an id was made, or null when the text is not an id. */
export function timeOfId(id: string): number | null {
  return /^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/.test(id) ? timeOfOwnId(id) : null;
}

/** The same of an id that is certain to be one. */
export function timeOfOwnId(id: string): number {
  const stampAt = id.length - stampCharacters - randomCharacters;
  let timeMs = 0;
  for (let at = stampAt; at < stampAt + stampCharacters; at++) {
    timeMs = timeMs * 32 + (digits[id.charCodeAt(at)] ?? 0);
  }
  return timeMs;
}
