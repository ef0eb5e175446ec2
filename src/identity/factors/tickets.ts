// Tickets: what someone is given who has proven a part, to come back with for the rest. A ticket is
// sealed text that says all it needs to: for whom, for what, until when, and in which browser. That
// it was used is written down together with what it was used for.
import type { Clock } from "../../core/clock.ts";
import type { AccountId } from "../../core/ids.ts";
import { isObject, parseJson } from "../../core/json.ts";
import type { Random } from "../../core/random.ts";
import type { Seal } from "../../core/seal.ts";
import { digest } from "../secrets.ts";

export const ticketTtlMs = 300_000;
const secretBytes = 32;
const ticketCharactersMax = 2048;
const context = "sign-in ticket";

/** To sign in, by passkey alone, to add a passkey, to prove oneself once more, or for a backup. */
type TicketKind = "second" | "passkey" | "enrol" | "step-up" | "backup";

export interface Ticket {
  id: string;
  kind: TicketKind;
  /** Null where it is not known yet who comes. */
  accountId: AccountId | null;
  /**
   * The digest of the password hash that was proven, so that another password ends the ticket; of
   * a backup, the digest of its name.
   */
  proof: string;
  /** The digest of what only that browser has. */
  holder: string;
  /** Challenge for a passkey to sign. */
  challenge: string;
  expiresAtMs: number;
}

type TicketFacts = Partial<Pick<Ticket, "accountId" | "proof">>;

export interface TicketNeeds {
  seal: Seal;
  clock: Clock;
  random: Random;
}

export class Tickets {
  readonly #needs: TicketNeeds;

  constructor(needs: TicketNeeds) {
    this.#needs = needs;
  }

  /** `holder` is a text that only the browser has. */
  make(
    kind: TicketKind,
    holder: string,
    { accountId = null, proof = "" }: TicketFacts = {},
  ): { ticket: Ticket; text: string } {
    const { seal, clock } = this.#needs;
    const ticket: Ticket = {
      id: this.secret(),
      kind,
      accountId,
      proof,
      holder: digest(holder),
      challenge: this.secret(),
      expiresAtMs: clock.nowMs() + ticketTtlMs,
    };
    return { ticket, text: seal.close(JSON.stringify(ticket), context) };
  }

  /** Null for what is not a ticket of ours, of that kind, of that browser, or is over. */
  open(text: string, kinds: readonly TicketKind[], holder: string | null): Ticket | null {
    const ticket = this.#read(text);
    if (!ticket || holder === null || ticket.holder !== digest(holder)) return null;
    const isOver = ticket.expiresAtMs <= this.#needs.clock.nowMs();
    return kinds.includes(ticket.kind) && !isOver ? ticket : null;
  }

  secret(): string {
    return Buffer.from(this.#needs.random.bytes(secretBytes)).toString("base64url");
  }

  #read(text: string): Ticket | null {
    if (text.length > ticketCharactersMax) return null;
    try {
      const value: unknown = parseJson(Buffer.from(this.#needs.seal.open(text, context)));
      // Only what was made here opens, so it is what was put in.
      return isObject(value) ? (value as unknown as Ticket) : null;
    } catch {
      return null;
    }
  }
}
