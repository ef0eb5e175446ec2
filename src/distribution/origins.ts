// Remembers which channel and key made the response ids and signatures that clients send back.
// Vendors know them only there, and another account's must not be found at all.
import type { Clock } from "../core/clock.ts";
import { digestOf } from "../core/digest.ts";
import type { AccountId } from "../core/ids.ts";
import { Lru } from "../core/lru.ts";
import type { Database } from "../store/database.ts";
import type { ListedRow } from "../store/step.ts";
import { askerIdOf, mayName, type Asker } from "./asker.ts";
import type { Channels } from "./channels.ts";
import type { Choice } from "./choose.ts";
import { expireOrigins, findOrigins, originStep, type OriginRow } from "./queries.ts";

export interface OriginsNeeds {
  database: Database;
  channels: Channels;
  clock: Clock;
  /** Has a row written with the settlement that is decided in the same step. */
  keep(row: ListedRow): void;
}

/** The maker of something: its channel and key, and its model where a name stands for several. */
export interface Maker extends Choice {
  model: string | null;
}

const rememberedMax = 10_000;
/** Age within which the same origin, made again, is not written again. */
const freshMs = 86_400_000;

export class Origins {
  readonly #needs: OriginsNeeds;
  readonly #known = new Lru<string, OriginRow>(rememberedMax);

  constructor(needs: OriginsNeeds) {
    this.#needs = needs;
  }

  /** Null when the asker never got it, or its channel or key is gone. */
  async find(asker: Asker, text: string): Promise<Maker | null> {
    const [maker = null] = await this.findAll(asker, [text]);
    return maker;
  }

  /** The maker of each text, in one read of the database, so for some thousand at most. */
  async findAll(asker: Asker, texts: readonly string[]): Promise<(Maker | null)[]> {
    const digests = texts.map((text) => digestOf(text));
    const rows = await this.#rowsOf(asker.accountId, digests);
    // Mostly one channel made them all, and to find its key takes a digest of each key that it has.
    const makers = new Map<string, Maker | null>();
    return digests.map((digest) => {
      const row = rows.get(digest);
      if (!row || !mayName(asker, row.asker_id)) return null;
      const name = JSON.stringify([row.channel_id, row.key_digest, row.model]);
      if (!makers.has(name)) makers.set(name, this.#toMaker(row));
      return makers.get(name) ?? null;
    });
  }

  /** The maker of a signature, which says nothing of another's to whoever has it already. */
  async findSigner(accountId: AccountId, signature: string): Promise<Maker | null> {
    const digest = digestOf(signature);
    const row = (await this.#rowsOf(accountId, [digest])).get(digest);
    return row ? this.#toMaker(row) : null;
  }

  async #rowsOf(
    accountId: AccountId,
    digests: readonly string[],
  ): Promise<ReadonlyMap<string, OriginRow>> {
    const rows = new Map<string, OriginRow>();
    const unread = new Set<string>();
    for (const digest of digests) {
      const row = this.#known.get(`${accountId} ${digest}`);
      if (row) rows.set(digest, row);
      else unread.add(digest);
    }
    if (unread.size > 0) {
      const read = await findOrigins(this.#needs.database, accountId, [...unread]);
      for (const row of read) rows.set(row.digest, row);
    }
    return rows;
  }

  #toMaker({ channel_id: id, key_digest: keyDigest, model }: OriginRow): Maker | null {
    const channel = this.#needs.channels.find(id);
    const key = channel?.settings.keys.find((one) => digestOf(one.text) === keyDigest);
    return channel && key ? { channel, key, model } : null;
  }

  /** Before the settlement, in the same step: the client may come back to another node with it. */
  remember(asker: Asker, texts: readonly string[], maker: Maker): void {
    for (const text of texts) {
      const row = this.#toRow(asker, text, maker);
      const name = `${asker.accountId} ${row.digest}`;
      if (isKept(this.#known.get(name), row)) continue;
      this.#known.set(name, row);
      this.#needs.keep(originStep.listed(row));
    }
  }

  async expire(beforeMs: number): Promise<void> {
    await expireOrigins(this.#needs.database, beforeMs);
  }

  #toRow(asker: Asker, text: string, { channel, key, model }: Maker): OriginRow {
    return {
      account_id: asker.accountId,
      digest: digestOf(text),
      channel_id: channel.settings.id,
      key_digest: digestOf(key.text),
      created_at_ms: this.#needs.clock.nowMs(),
      model,
      asker_id: askerIdOf(asker),
    };
  }
}

function isKept(known: OriginRow | undefined, row: OriginRow): boolean {
  return (
    known !== undefined &&
    known.channel_id === row.channel_id &&
    known.key_digest === row.key_digest &&
    known.model === row.model &&
    known.asker_id === row.asker_id &&
    row.created_at_ms - known.created_at_ms < freshMs
  );
}
