// From a credential to who it belongs to. Known keys are answered from memory; unknown ones are
// looked up once, and what was not found is remembered in a bounded set. Every refusal is the same.
import type { Clock } from "../core/clock.ts";
import { GatewayError } from "../core/errors.ts";
import { Lru } from "../core/lru.ts";
import { isListedAddress } from "../core/url-guard.ts";
import type { Database } from "../store/database.ts";
import { findToken } from "./access/queries.ts";
import type { Sessions } from "./access/sessions.ts";
import type { KnownBudgets } from "./budgets/budgets.ts";
import type { Caller, Operator } from "./caller.ts";
import type { RateRule, RateSubject } from "./rate-subject.ts";
import type { Groups } from "./groups.ts";
import { ModelRates } from "./model-rates.ts";
import { OwnNames } from "./own-names.ts";
import { findKeyByHash, type FoundKey, type LimitedKey } from "./keys/queries.ts";
import { findAccount, type AccountRow, type ApiKeyRow } from "./queries.ts";
import { rightsOf, roleOf } from "./roles/rights.ts";
import { RefusedCredential, refusedCredential, unknownCredential } from "./refused-credential.ts";
import { digest, isPlausible } from "./secrets.ts";

const callersMax = 65_536;
const strangersMax = 65_536;
const lookupsAtOnceMax = 64;
/** Many keys may come at once after a start; what waits costs a few words of memory. */
const lookupsMax = 8192;

interface AuthenticatorNeeds {
  database: Database;
  groups: Groups;
  budgets: Pick<KnownBudgets, "of">;
  clock: Clock;
  sessions: Pick<Sessions, "isOpen">;
}

/** Bearer of a credential; the address is only asked for where it matters. */
interface Sender {
  readonly ip: string;
}

export class Authenticator {
  readonly #database: Database;
  readonly #groups: Groups;
  readonly #budgets: Pick<KnownBudgets, "of">;
  readonly #clock: Clock;
  readonly #sessions: Pick<Sessions, "isOpen">;
  readonly #callers = new Lru<string, Caller>(callersMax);
  readonly #strangers = new Lru<string, RefusedCredential>(strangersMax);
  readonly #lookups = new Map<string, Promise<Caller | RefusedCredential>>();
  /** Those that wait for one of the others to end. */
  readonly #waiting: (() => void)[] = [];
  #reading = 0;
  #version = 0;
  #local: { hash: string; operator: Operator } | null = null;

  constructor({ database, groups, budgets, clock, sessions }: AuthenticatorNeeds) {
    this.#database = database;
    this.#groups = groups;
    this.#budgets = budgets;
    this.#clock = clock;
    this.#sessions = sessions;
  }

  /** The caller of an API key that was seen before; null of any other. Throws 401. */
  knownCaller(secret: string, from: Sender): Caller | null {
    if (!isPlausible(secret)) throw refusedCredential("malformed");
    const known = this.#callers.get(digest(secret));
    return known ? this.#admit(known, from) : null;
  }

  /** The caller of an API key; throws 401, always the same. */
  async caller(secret: string, from: Sender): Promise<Caller> {
    return this.knownCaller(secret, from) ?? (await this.#lookUp(digest(secret), from));
  }

  /** The operator of an access token; throws 401. */
  async operator(secret: string): Promise<Operator> {
    if (!isPlausible(secret)) throw refusedCredential("malformed");
    const hash = digest(secret);
    if (hash === this.#local?.hash) return this.#local.operator;
    const token = await findToken(this.#database, hash);
    const isExpired = (token?.expires_at_ms ?? Number.POSITIVE_INFINITY) <= this.#clock.nowMs();
    const account =
      token && !isExpired ? await findAccount(this.#database, token.account_id) : null;
    if (isExpired) throw refusedCredential("expired");
    if (!account) throw unknownCredential.toError();
    if (account.status !== "enabled") throw refusedCredential("account disabled");
    const expiresAtMs = token?.expires_at_ms ?? null;
    return {
      accountId: account.id,
      username: account.username,
      ...(await rightsOf(this.#database, account)),
      ...(expiresAtMs !== null && { expiresAtMs }),
      ...(token?.read_only === 1 && { isReadOnly: true as const }),
      ...(token?.organisation_id && { boundTo: token.organisation_id }),
    };
  }

  /** A token that lives as long as the process, for programs on the same machine. */
  trustLocal(secret: string, operator: Operator): void {
    this.#local = { hash: digest(secret), operator };
  }

  /** Forgets every caller: whatever changed is read again before it is used again. */
  forget(): void {
    this.#version++;
    this.#callers.clear();
    this.#strangers.clear();
  }

  /** One key alone was made or changed: all others are known as before. */
  forgetKey(hash: string, previous: string | null = null): void {
    this.#version++;
    for (const text of previous === null ? [hash] : [hash, previous]) {
      this.#callers.delete(text);
      this.#strangers.delete(text);
    }
  }

  async #lookUp(hash: string, from: Sender): Promise<Caller> {
    const keyRow = this.#strangers.get(hash) ?? (await this.#find(hash));
    if (keyRow instanceof RefusedCredential) throw keyRow.toError();
    return this.#admit(keyRow, from);
  }

  /** One lookup of a key however many ask for it at once; few of different keys together. */
  #find(hash: string): Promise<Caller | RefusedCredential> {
    const running = this.#lookups.get(hash);
    if (running) return running;
    if (this.#lookups.size >= lookupsMax) {
      throw new GatewayError("rate_limit_exceeded", { retryAfterSeconds: 1 });
    }
    const lookup = this.#exclusively(hash).finally(() => this.#lookups.delete(hash));
    this.#lookups.set(hash, lookup);
    return lookup;
  }

  async #exclusively(hash: string): Promise<Caller | RefusedCredential> {
    if (this.#reading < lookupsAtOnceMax) this.#reading++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.#read(hash);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#reading--;
    }
  }

  async #read(hash: string): Promise<Caller | RefusedCredential> {
    for (;;) {
      const version = this.#version;
      const keyRow = await findKeyByHash(this.#database, hash);
      const { session_id: session = null } = keyRow?.key ?? {};
      const isOver = session !== null && !(await this.#sessions.isOpen(session));
      const mayPin = keyRow !== null && (await this.#mayPin(keyRow.account));
      // A change that arrived during the lookup may have revoked what was just read.
      if (version !== this.#version) continue;
      const caller = keyRow && !isOver ? this.#toCaller(keyRow, hash, mayPin) : unknownCredential;
      // A caller that ends with a session is looked up for each request, like the session.
      if (session !== null) return caller;
      if (caller instanceof RefusedCredential) this.#strangers.set(hash, caller);
      else this.#callers.set(hash, caller);
      return caller;
    }
  }

  async #mayPin(account: AccountRow): Promise<boolean> {
    if (roleOf(account) === "user") return false;
    return (await rightsOf(this.#database, account)).may.has("channels.write");
  }

  #admit(caller: Caller, from: Sender): Caller {
    if (caller.isWaiting === true) throw new GatewayError("account_waiting");
    if (caller.expiresAtMs !== null && caller.expiresAtMs <= this.#clock.nowMs()) {
      throw new RefusedCredential("expired", caller.keyId).toError();
    }
    if (caller.allowIps !== null && !isListedAddress(from.ip, caller.allowIps)) {
      throw new RefusedCredential("wrong address", caller.keyId).toError();
    }
    return caller;
  }

  #toCaller({ key, account }: FoundKey, hash: string, mayPin: boolean): Caller | RefusedCredential {
    if (key.deleted_at_ms !== null) return new RefusedCredential("revoked", key.id);
    if (key.status !== "enabled") return new RefusedCredential("disabled", key.id);
    if (account.status !== "enabled") return new RefusedCredential("account disabled", key.id);
    if (hasLeft(key)) return new RefusedCredential("maker gone", key.id);
    if (key.project_status === "disabled") return new RefusedCredential("project disabled", key.id);
    const group = this.#groups.find(key.group_name);
    if (!group) return new RefusedCredential("group gone", key.id);
    const { member, project } = rulesOfParts(key);
    const subjects: RateSubject[] = [
      { scope: "key", id: key.id, rule: toRule(key) },
      // A person may be a member of several organisations.
      { scope: "member", id: `${account.id}/${key.maker_id}`, rule: member },
      { scope: "project", id: key.project_id ?? "", rule: project },
      { scope: "account", id: account.id, rule: toRule(account) },
      { scope: "group", id: group.name, rule: group.rule },
    ];
    const budgets = this.#budgets.of(key);
    const isOfMember = key.seat_role === "member";
    const shortageWords = isOfMember
      ? { ...budgets?.words, hidesAccount: true as const }
      : budgets?.words;
    return {
      accountId: account.id,
      username: account.username,
      keyId: key.id,
      keyName: key.name,
      makerId: key.maker_id,
      projectId: key.project_id,
      group: group.name,
      multiplierPpm: group.multiplierPpm,
      prefer: group.prefer,
      models: key.models === null ? null : new Set<string>(JSON.parse(key.models)),
      ...(key.model_mapping !== null && {
        ownNames: new OwnNames(JSON.parse(key.model_mapping)),
      }),
      allowIps: key.allow_ips === null ? null : JSON.parse(key.allow_ips),
      expiresAtMs: endOf(key, hash),
      isRestricted: isRestricted(key),
      ...(key.log_content === 1 && { logsContent: true }),
      ...(account.waits_since_ms !== null && { isWaiting: true as const }),
      ...(account.role === "root" && { isRoot: true }),
      ...(mayPin && { mayPin: true }),
      rates: subjects.filter(({ rule }) => hasLimit(rule)),
      ...(hasModelRates(key) && { modelRates: toModelRates(key) }),
      ...(budgets && { budgets }),
      ...(isOfMember && { isOfMember }),
      ...(shortageWords && { shortageWords }),
    };
  }
}

/** End of the key, which for the text before may be earlier; null: none. */
function endOf(key: LimitedKey, hash: string): number | null {
  const previous = key.hash === hash ? null : (key.previous_until_ms ?? 0);
  const ends = [key.expires_at_ms, previous, key.keys_until_ms].filter((end) => end !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** A member's key works while its person may sign in and has a seat that may have keys. */
function hasLeft({ maker_id: maker, maker_status: status, seat }: LimitedKey): boolean {
  return maker !== null && (status !== "enabled" || seat === null);
}

function isRestricted(key: LimitedKey): boolean {
  const { models, allow_ips: addresses, limit_micros: limit } = key;
  return models !== null || addresses !== null || limit !== null || hasRates(key);
}

function hasRates(key: LimitedKey): boolean {
  return hasLimit(toRule(key)) || hasModelRates(key);
}

function hasModelRates(key: LimitedKey): boolean {
  return key.model_requests_per_minute !== null || key.model_tokens_per_minute !== null;
}

function toModelRates(key: LimitedKey): ModelRates {
  return new ModelRates(key.id, {
    requestsPerMinute: key.model_requests_per_minute,
    tokensPerMinute: key.model_tokens_per_minute,
  });
}

/** Rates of the member that made it, and of the project that it is in. */
function rulesOfParts(key: LimitedKey): Record<"member" | "project", RateRule> {
  return {
    member: {
      requestsPerMinute: key.member_requests,
      tokensPerMinute: key.member_tokens,
      concurrency: key.member_concurrency,
    },
    project: {
      requestsPerMinute: key.project_requests,
      tokensPerMinute: key.project_tokens,
      concurrency: key.project_concurrency,
    },
  };
}

function hasLimit(rule: RateRule): boolean {
  return (
    rule.requestsPerMinute !== null || rule.tokensPerMinute !== null || rule.concurrency !== null
  );
}

function toRule(
  row: Pick<ApiKeyRow, "requests_per_minute" | "tokens_per_minute" | "concurrency">,
): RateRule {
  return {
    requestsPerMinute: row.requests_per_minute,
    tokensPerMinute: row.tokens_per_minute,
    concurrency: row.concurrency,
  };
}
