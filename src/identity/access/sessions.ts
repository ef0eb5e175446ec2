// Signed-in browsers. A session is random text in a cookie and its digest in the database, where it
// is looked up for each request: one that was ended is gone for the very next request.
import type { Clock } from "../../core/clock.ts";
import type { AccountId, Ids, SessionId } from "../../core/ids.ts";
import type { Random } from "../../core/random.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import type { Operator } from "../caller.ts";
import { areAmong, permissionsOf, rightsOf } from "../roles/rights.ts";
import { unknownCredential } from "../refused-credential.ts";
import { createSessionSecret, digest, isPlausible } from "../secrets.ts";
import {
  deleteOldSessions,
  deleteSession,
  findSession,
  findSessionById,
  insertSession,
  readSessions,
  touchSession,
  type SessionRow,
} from "./queries.ts";

interface SessionLimits {
  idleMs: number;
  absoluteMs: number;
}

interface SessionsNeeds {
  store: Store;
  database: Database;
  clock: Clock;
  random: Random;
  ids: Ids;
  limits: SessionLimits;
}

/** Origin of a session, for its owner to recognise it by. */
export interface Browser {
  ip: string;
  agent: string;
}

/** Store that takes the session, for a commit with the audit entry, and its id. */
interface SessionWrite {
  store: Store;
  database: Database;
  id: SessionId;
}

interface OpenedSession {
  id: SessionId;
  /** The text for the cookie, which exists nowhere else. */
  secret: string;
}

const sessionsPerAccountMax = 50;
const agentCharactersMax = 200;
const touchPeriodMsMax = 60_000;

export class Sessions {
  readonly #needs: SessionsNeeds;
  readonly #touching = new Set<SessionId>();

  constructor(needs: SessionsNeeds) {
    this.#needs = needs;
  }

  get limits(): SessionLimits {
    return this.#needs.limits;
  }

  /** A session under a text of its own; the replaced one and the oldest beyond the cap end. */
  async open(
    accountId: AccountId,
    browser: Browser,
    replaced: string | null,
    { store, database, id }: SessionWrite = this.#plainWrite(),
  ): Promise<OpenedSession> {
    const { clock, random } = this.#needs;
    const before = replaced === null ? null : await this.#find(replaced);
    const known = await readSessions(this.#needs.database, accountId);
    const ended = known.slice(sessionsPerAccountMax - 1).map(({ id }) => id);
    if (before) ended.push(before.id);
    const secret = createSessionSecret(random);
    const nowMs = clock.nowMs();
    const row: SessionRow = {
      id,
      hash: digest(secret),
      account_id: accountId,
      ip: browser.ip,
      agent: browser.agent.slice(0, agentCharactersMax),
      created_at_ms: nowMs,
      seen_at_ms: nowMs,
    };
    await insertSession(store, database, row, ended);
    return { id: row.id, secret };
  }

  #plainWrite(): SessionWrite {
    const { store, database, ids } = this.#needs;
    return { store, database, id: ids.session() };
  }

  /** Account signed in under that text; throws 401, always the same. */
  async operator(secret: string): Promise<Operator> {
    const session = await this.#find(secret);
    if (!session || session.status !== "enabled" || !this.isLive(session)) {
      throw unknownCredential.toError();
    }
    this.#touch(session);
    const { account_id: accountId, username, id: sessionId } = session;
    const rights = await rightsOf(this.#needs.database, session);
    return { accountId, username, ...rights, sessionId };
  }

  /** Whether it would let the operator do all that it let it do before. */
  async isStill({ sessionId, role, may }: Operator & { sessionId: SessionId }): Promise<boolean> {
    if (!(await this.isOpen(sessionId))) return false;
    const now = await permissionsOf(this.#needs.database, role);
    return now !== null && areAmong(may, now);
  }

  async isOpen(id: SessionId): Promise<boolean> {
    const row = await findSessionById(this.#needs.database, id);
    return row !== null && this.isLive(row);
  }

  /** The sessions of an account that are still open. */
  async list(accountId: AccountId): Promise<SessionRow[]> {
    const rows = await readSessions(this.#needs.database, accountId);
    return rows.filter((row) => this.isLive(row));
  }

  /** False when the account has no such session. */
  async end(accountId: AccountId, id: SessionId): Promise<boolean> {
    return await deleteSession(this.#needs.database, accountId, id);
  }

  /** End of the session if it is not used again. */
  endsAtMs({ seen_at_ms, created_at_ms }: SessionRow): number {
    const { idleMs, absoluteMs } = this.#needs.limits;
    return Math.min(seen_at_ms + idleMs, created_at_ms + absoluteMs);
  }

  isLive(row: SessionRow): boolean {
    return this.#needs.clock.nowMs() < this.endsAtMs(row);
  }

  /** Deletes what has ended by itself. */
  async expire(): Promise<void> {
    const { database, clock, limits } = this.#needs;
    const nowMs = clock.nowMs();
    const seenAtMs = nowMs - limits.idleMs;
    await deleteOldSessions(database, { seenAtMs, createdAtMs: nowMs - limits.absoluteMs });
  }

  async #find(secret: string) {
    if (!isPlausible(secret)) return null;
    return await findSession(this.#needs.database, digest(secret));
  }

  /** Now and then and behind the answer: a page that is open would otherwise write all the time. */
  #touch({ id, seen_at_ms: seenAtMs }: SessionRow): void {
    const { database, clock, limits } = this.#needs;
    const nowMs = clock.nowMs();
    const periodMs = Math.min(touchPeriodMsMax, limits.idleMs / 10);
    if (nowMs - seenAtMs < periodMs || this.#touching.has(id)) return;
    this.#touching.add(id);
    touchSession(database, id, nowMs)
      // One that fails is made up for by the next.
      .catch(() => {})
      .finally(() => this.#touching.delete(id));
  }
}
