// The outbox: a letter is a row that is written in the commit of what causes it, so that there is
// no letter of what did not happen, and none is lost with the process.
import type { Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import type { Seal } from "../core/seal.ts";
import { boxDigest } from "../identity/email/address.ts";
import { accompany } from "../store/accompany.ts";
import { createDatabase, toStatement, type Database } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import type { Letter, LetterKind, Posting } from "./letter.ts";
import { countToBox, insertOfMail, type MailRow } from "./queries.ts";

interface OutboxNeeds {
  database: Database;
  clock: Clock;
  ids: Ids;
  seal: Seal;
  /** The sender's address: letters are named after its domain. */
  from: string;
  /** Called when there is something to send. */
  wake(): void;
}

const hourMs = 3_600_000;
/** Letters to one box in an hour that anybody may ask for. */
const perBoxMax = 3;
const askedKinds: readonly LetterKind[] = ["verify", "reset", "sign_in", "organisation_invitation"];

export class Outbox {
  readonly #needs: OutboxNeeds;

  constructor(needs: OutboxNeeds) {
    this.#needs = needs;
  }

  /** The store and the database whose one next commit carries the letters. */
  carrying(
    written: { store: Store },
    postings: readonly Posting[],
  ): { store: Store; database: Database } {
    const { database, wake } = this.#needs;
    const letters = postings.map((posting) => insertOfMail(database, this.#rowOf(posting)));
    const carried = letters.map((letter) => toStatement(letter.compile()));
    const store = accompany(written.store, carried, wake);
    return { store, database: createDatabase(store) };
  }

  /** Whether the box has had as many in the last hour as anybody may ask for. */
  async isFull(to: string): Promise<boolean> {
    const { database, clock } = this.#needs;
    const sinceMs = clock.nowMs() - hourMs;
    const letters = { boxDigest: boxDigest(to), kinds: askedKinds, sinceMs };
    return (await countToBox(database, letters)) >= perBoxMax;
  }

  #rowOf({ letter, to, accountId, language, expiresAtMs }: Posting): MailRow {
    const { ids, clock, seal, from } = this.#needs;
    const id = ids.of("mail_");
    const nowMs = clock.nowMs();
    return {
      id,
      kind: letter.kind,
      account_id: accountId,
      recipient: to,
      recipient_key: boxDigest(to),
      language,
      data: seal.close(JSON.stringify(letter), letterContext(id)),
      message_id: `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
      state: "waiting",
      tries: 0,
      next_at_ms: nowMs,
      at_ms: nowMs,
      expires_at_ms: expiresAtMs ?? null,
      sent_at_ms: null,
      error: null,
    };
  }
}

/** Throws where the secret is another one by now. */
export function openLetter(seal: Seal, { id, data }: Pick<MailRow, "id" | "data">): Letter {
  // Only what was made here opens, so it is what was put in.
  return JSON.parse(seal.open(data ?? "", letterContext(id))) as Letter;
}

export function letterContext(id: string): string {
  return `letter ${id}`;
}
