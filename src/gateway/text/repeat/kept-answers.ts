// Answers that were charged and may be asked for again. Each is written with its charge, all or
// nothing, so no death of a process leaves a charge whose answer is lost or runs a charged request
// again. They are what customers were told, so they are sealed as vendors' keys are, and go when
// their time is over.
import type { Clock } from "../../../core/clock.ts";
import type { AccountId } from "../../../core/ids.ts";
import { isObject } from "../../../core/json.ts";
import type { Seal } from "../../../core/seal.ts";
import type { Database } from "../../../store/database.ts";
import type { ListedRow } from "../../../store/step.ts";
import type { Store } from "../../../store/store.ts";
import {
  claimAnswer,
  deleteAnswers,
  emptyAnswers,
  findAnswer,
  findMaker,
  keptAnswerStep,
  releaseAnswer,
  type KeptAnswerRow,
} from "./queries.ts";

interface KeptAnswersNeeds {
  database: Database;
  store: Store;
  clock: Clock;
  seal: Seal;
  /** Has a row written with the settlement that is decided in the same step. */
  keep(row: ListedRow): Commit;
  /** Nodes that share the database; null where there is but one process. */
  nodes: AnswerNodes | null;
  rules: { repeatMs: number; repeatAccountBytesMax: number };
}

/** One commit of the journal, or of a node's turn. */
interface Commit {
  /** Resolves once it is written, however long that takes; fails where it never will be. */
  readonly kept: Promise<void>;
}

interface AnswerNodes {
  /** The one that this is. */
  nodeId(): string;
  isLive(node: string): Promise<boolean>;
}

/** A request that may come again. */
export interface RequestIdentity {
  /** Name under which it is found again. */
  id: string;
  /** Name that earlier versions gave it, for all members together; null where it is the same. */
  earlierId: string | null;
  accountId: AccountId;
  /** Member whose key asks; null for the account itself. */
  makerId: AccountId | null;
  /** Digest of what it asks for. */
  digest: string;
  requestId: string;
}

interface KeptAnswer {
  contentType: string;
  headers: Readonly<Record<string, string>>;
  model: string;
  stream: boolean;
  bytes: Uint8Array;
}

/** Claims of requests that run stand longer than any of them does. */
const rowMsMin = 86_400_000;

export class KeptAnswers {
  readonly #needs: KeptAnswersNeeds;
  /** Those that the journal, or reads of the database, may not have yet. */
  readonly #unapplied = new Map<string, KeptAnswerRow>();

  constructor(needs: KeptAnswersNeeds) {
    this.#needs = needs;
  }

  /** Null where the request is to be made, which nobody else does meanwhile. */
  async claim(identity: RequestIdentity): Promise<KeptAnswerRow | null> {
    const known = this.#unapplied.get(identity.id);
    if (known && this.#isKept(known)) return known;
    const earlier = await this.#findEarlier(identity);
    if (earlier) return earlier;
    const { nodes, database } = this.#needs;
    if (nodes) return await this.#claimOf(identity, nodes);
    const row = await findAnswer(database, identity.id);
    return row && this.#isKept(row) ? row : null;
  }

  /** Whether it was made by who asks for it: versions before gave members one name together. */
  async isOwn(row: KeptAnswerRow, { makerId }: RequestIdentity): Promise<boolean> {
    const maker = await findMaker(this.#needs.database, row.request_id);
    return maker === null || maker === makerId;
  }

  /** An answer that a version before stored for this very member. */
  async #findEarlier({ earlierId, makerId }: RequestIdentity): Promise<KeptAnswerRow | null> {
    if (earlierId === null) return null;
    const { database } = this.#needs;
    const row = await findAnswer(database, earlierId);
    if (!row || row.claimed_by !== null || !this.#isKept(row)) return null;
    return (await findMaker(database, row.request_id)) === makerId ? row : null;
  }

  /** Frees the claim of a dead node: it is fenced, so that its charge can come no more. */
  async #claimOf(identity: RequestIdentity, nodes: AnswerNodes): Promise<KeptAnswerRow | null> {
    const { database } = this.#needs;
    const here = nodes.nodeId();
    const claim = { ...this.#toRow(identity, null), claimed_by: here };
    let dead = here;
    for (;;) {
      const expiredMs = this.#expiredMs;
      if (await claimAnswer(database, { row: claim, expiredMs, over: [here, dead] })) return null;
      const row = await findAnswer(database, identity.id);
      if (row?.claimed_by) {
        if (await nodes.isLive(row.claimed_by)) return row;
        dead = row.claimed_by;
      } else if (row && this.#isKept(row)) return row;
    }
  }

  /**
   * Null for an answer that is not there to be given again. Resolves to whether it was written with
   * its charge. Until then it is known here: on a full disk both may wait for long, and come after
   * all.
   */
  keep(identity: RequestIdentity, answer: KeptAnswer | null): Promise<boolean> {
    const sealed = answer && this.#needs.seal.close(toDocument(answer), identity.id);
    const row = this.#toRow(identity, sealed);
    this.#unapplied.set(identity.id, row);
    const commit = this.#needs.keep(keptAnswerStep.listed(row));
    return this.#forgetOnceApplied(row, commit);
  }

  async #forgetOnceApplied(row: KeptAnswerRow, commit: Commit): Promise<boolean> {
    const isWritten = await commit.kept.then(
      () => true,
      () => false,
    );
    if (isWritten) await this.#needs.store.applied();
    if (this.#unapplied.get(row.id) === row) this.#unapplied.delete(row.id);
    return isWritten;
  }

  /** Frees the key of a request that came to nothing which could be given again. */
  async release({ id, requestId }: RequestIdentity): Promise<void> {
    if (!this.#needs.nodes) return;
    await releaseAnswer(this.#needs.database, { id, request_id: requestId });
  }

  /** Null where its text was too large, or had to go. */
  read({ id, sealed }: KeptAnswerRow): KeptAnswer | null {
    return sealed === null ? null : toAnswer(this.#needs.seal.open(sealed, id));
  }

  async expire(): Promise<void> {
    const { database, clock, rules } = this.#needs;
    const keptMs = Math.max(rules.repeatMs, rowMsMin);
    await deleteAnswers(database, clock.nowMs() - keptMs);
    await emptyAnswers(database, rules.repeatAccountBytesMax);
  }

  #isKept({ created_at_ms: createdAtMs }: KeptAnswerRow): boolean {
    return createdAtMs > this.#expiredMs;
  }

  get #expiredMs(): number {
    return this.#needs.clock.nowMs() - this.#needs.rules.repeatMs;
  }

  #toRow(identity: RequestIdentity, sealed: string | null): KeptAnswerRow {
    return {
      id: identity.id,
      account_id: identity.accountId,
      body_digest: identity.digest,
      request_id: identity.requestId,
      claimed_by: null,
      bytes: sealed?.length ?? 0,
      created_at_ms: this.#needs.clock.nowMs(),
      sealed,
    };
  }
}

/** Streams repeat themselves, and come to a tenth. */
function toDocument({ bytes, ...head }: KeptAnswer): string {
  const packed = Buffer.from(Bun.zstdCompressSync(bytes, { level: 1 })).toString("base64");
  return `${JSON.stringify(head)}\n${packed}`;
}

function toAnswer(document: string): KeptAnswer | null {
  const [head = "", packed = ""] = document.split("\n");
  const value: unknown = JSON.parse(head);
  if (!isObject(value)) return null;
  const { contentType, headers, model, stream } = value;
  if (typeof contentType !== "string" || typeof model !== "string" || !isObject(headers)) {
    return null;
  }
  return {
    contentType,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [name, String(text)]),
    ),
    model,
    stream: stream === true,
    bytes: Bun.zstdDecompressSync(Buffer.from(packed, "base64")),
  };
}
