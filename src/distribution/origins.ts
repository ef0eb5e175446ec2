// Remembers which channel and key made the response ids and signatures that clients send back.
// Vendors know them only there, and another account's must not be found at all.
import type { Clock } from "../core/clock.ts";
import { digestOf } from "../core/digest.ts";
import type { AccountId } from "../core/ids.ts";
import { describe, type Log } from "../core/log.ts";
import { Lru } from "../core/lru.ts";
import type { Database } from "../store/database.ts";
import type { Channels } from "./channels.ts";
import type { Choice } from "./choose.ts";
import { expireOrigins, findOrigin, saveOrigins, type OriginRow } from "./queries.ts";

export interface OriginsNeeds {
  database: Database;
  channels: Channels;
  clock: Clock;
  log: Log;
}

const rememberedMax = 10_000;
const waitingMax = 10_000;
const rowsPerCommitMax = 200;

export class Origins {
  readonly #needs: OriginsNeeds;
  readonly #known = new Lru<string, OriginRow>(rememberedMax);
  readonly #waiting: OriginRow[] = [];
  /** Null while nothing waits to be written. */
  #saving: Promise<void> | null = null;

  constructor(needs: OriginsNeeds) {
    this.#needs = needs;
  }

  /** Null when this account never got it, or its channel or key is gone. */
  async find(accountId: AccountId, text: string): Promise<Choice | null> {
    const digest = digestOf(text);
    const row =
      this.#known.get(`${accountId} ${digest}`) ??
      (await findOrigin(this.#needs.database, accountId, digest));
    if (!row) return null;
    const channel = this.#needs.channels.find(row.channel_id);
    const key = channel?.settings.keys.find((one) => digestOf(one.text) === row.key_digest);
    return channel && key ? { channel, key } : null;
  }

  remember(accountId: AccountId, texts: readonly string[], maker: Choice): void {
    for (const text of texts) {
      const row = this.#toRow(accountId, text, maker);
      this.#known.set(`${accountId} ${row.digest}`, row);
      if (this.#waiting.length < waitingMax) this.#waiting.push(row);
    }
    if (this.#waiting.length > 0) this.#saving ??= this.#save();
  }

  /** Once all that was remembered is written, as far as it could be. */
  async settled(): Promise<void> {
    await this.#saving;
  }

  async expire(beforeMs: number): Promise<void> {
    await expireOrigins(this.#needs.database, beforeMs);
  }

  #toRow(accountId: AccountId, text: string, { channel, key }: Choice): OriginRow {
    return {
      account_id: accountId,
      digest: digestOf(text),
      channel_id: channel.settings.id,
      key_digest: digestOf(key.text),
      created_at_ms: this.#needs.clock.nowMs(),
    };
  }

  /** One commit at a time takes everything that came in the meantime. */
  async #save(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        await saveOrigins(this.#needs.database, this.#waiting.splice(0, rowsPerCommitMax));
      }
    } catch (error) {
      this.#needs.log.warn("origins could not be kept", { error: describe(error) });
    } finally {
      this.#saving = null;
    }
  }
}
