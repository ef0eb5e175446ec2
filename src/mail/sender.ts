// Sends what is in the outbox. A letter is claimed before it goes and concluded after: whoever is
// killed in between leaves it to the next one, who sends the same letter under the same name.
import { sleep, type Clock, type Stop, type Timers } from "../core/clock.ts";
import type { Deadlines } from "../core/deadline.ts";
import { describe, type Log } from "../core/log.ts";
import type { Seal } from "../core/seal.ts";
import type { Database } from "../store/database.ts";
import { compose } from "./compose.ts";
import type { Letter } from "./letter.ts";
import { openLetter } from "./outbox.ts";
import {
  claimMail,
  countSent,
  forgetMail,
  readDueMail,
  saveMailTry,
  type MailRow,
} from "./queries.ts";
import { claimedMs, closeMsMax, resendDelaysMs } from "./retries.ts";
import { isRefused, sendMessage, type SmtpSettings } from "./smtp.ts";

interface MailSenderNeeds {
  database: Database;
  clock: Clock;
  timers: Timers;
  deadlines: Deadlines;
  log: Log;
  seal: Seal;
  smtp: SmtpSettings;
  site: { readonly name: string };
  rules: { readonly footer: string | null; readonly hourlyMax: number };
}

const hourMs = 3_600_000;
const keptMs = 7 * 24 * hourMs;
const lookMs = 15_000;
/** Letters on their way at once. */
const atOnceMax = 5;

/** End of a try that failed: the error, and whether it was the last one. */
interface Failure {
  error: string;
  isLast: boolean;
}

export class MailSender {
  readonly #needs: MailSenderNeeds;
  readonly #stop: Stop;
  #sending: Promise<void> | null = null;
  #isWanted = false;
  #isClosed = false;

  constructor(needs: MailSenderNeeds) {
    this.#needs = needs;
    this.#stop = needs.timers.every(lookMs, () => this.wake());
  }

  /** Begins to send what is due; does not wait for it. */
  wake(): void {
    this.#isWanted = true;
    if (this.#isClosed) return;
    this.#sending ??= this.#sendAll()
      .catch((error: unknown) => {
        this.#isWanted = false;
        this.#needs.log.error("e-mail could not be looked for", { error: describe(error) });
      })
      .finally(() => {
        this.#sending = null;
        // Look again for who came between the last look and this end.
        if (this.#isWanted) this.wake();
      });
  }

  /** Once and at once; throws when it did not arrive. */
  async test(to: string, by: string, language: MailRow["language"]): Promise<void> {
    const { deadlines, smtp } = this.#needs;
    const message = this.#compose({ kind: "test", facts: { by } }, language);
    await sendMessage({ deadlines, smtp }, { to: [to], ...message });
  }

  /** Letters on their way may still arrive; the rest is sent by the next process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    await Promise.race([this.#sending, sleep(this.#needs.timers, closeMsMax)]);
  }

  /** Forgets letters that are long over. */
  async expire(): Promise<void> {
    const { database, clock } = this.#needs;
    await forgetMail(database, clock.nowMs() - keptMs);
  }

  async #sendAll(): Promise<void> {
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false;
      const due = await this.#due();
      await Promise.all(due.map((row) => this.#send(row)));
      if (due.length > 0) this.#isWanted = true;
    }
  }

  async #due(): Promise<MailRow[]> {
    const { database, clock, rules } = this.#needs;
    const nowMs = clock.nowMs();
    const room = rules.hourlyMax - (await countSent(database, nowMs - hourMs));
    if (room <= 0) return [];
    return await readDueMail(database, { nowMs, most: Math.min(room, atOnceMax) });
  }

  async #send(row: MailRow): Promise<void> {
    const { database, clock } = this.#needs;
    const { id, tries } = row;
    const nowMs = clock.nowMs();
    if (!(await claimMail(database, { id, tries }, nowMs + claimedMs))) return;
    const isOver = row.expires_at_ms !== null && row.expires_at_ms <= nowMs;
    const failure = isOver ? { error: "it was too late", isLast: true } : await this.#try(row);
    await this.#conclude({ ...row, tries: tries + 1 }, failure);
  }

  async #try(row: MailRow): Promise<Failure | null> {
    const { deadlines, smtp, seal } = this.#needs;
    let letter: Letter;
    try {
      letter = openLetter(seal, row);
    } catch {
      return { error: "it was sealed with another secret", isLast: true };
    }
    try {
      await sendMessage(
        { deadlines, smtp },
        {
          to: [row.recipient ?? ""],
          ...this.#compose(letter, row.language),
          messageId: row.message_id,
          date: new Date(row.at_ms),
        },
      );
      return null;
    } catch (error) {
      return { error: describe(error), isLast: isRefused(error) };
    }
  }

  #compose(letter: Letter, language: MailRow["language"]) {
    const { site, rules } = this.#needs;
    return compose(letter, language, { site: site.name, footer: rules.footer });
  }

  async #conclude({ id, kind, tries }: MailRow, failure: Failure | null): Promise<void> {
    const { database, clock, log } = this.#needs;
    const nowMs = clock.nowMs();
    const over = { recipient: null, data: null, next_at_ms: null } as const;
    if (failure === null) {
      const sent = { ...over, state: "sent", sent_at_ms: nowMs, error: null } as const;
      return await saveMailTry(database, { id, tries }, sent);
    }
    const { error, isLast } = failure;
    const delayMs = isLast ? undefined : resendDelaysMs[tries - 1];
    log.warn("an e-mail did not arrive", { mail: id, kind, error: withoutAddresses(error) });
    await saveMailTry(
      database,
      { id, tries },
      delayMs === undefined
        ? { ...over, state: "failed", error: withoutAddresses(error) }
        : { state: "waiting", next_at_ms: nowMs + delayMs, error: withoutAddresses(error) },
    );
  }
}

/** Servers repeat the address in what they say. */
function withoutAddresses(text: string): string {
  return text.replace(/[^\s<>]+@[^\s<>]+/g, "(address)");
}
