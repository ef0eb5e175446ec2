// Second factors of an account: an authenticator app, passkeys, and codes on paper for when both
// are lost.
import type { AccountId } from "../../core/ids.ts";
import { describe, type Log } from "../../core/log.ts";
import type { Database } from "../../store/database.ts";
import { createTotpSecret, stepOf } from "../access/totp.ts";
import { createRecoveryCode, digest, readSpelt } from "../secrets.ts";
import { readCounter, type Assertion, type AssertionAsk } from "./passkeys.ts";
import {
  deleteOver,
  findPasskey,
  readFactorRows,
  useOfPasskey,
  useOfRecoveryCode,
  useOfTotp,
  type FactorRows,
  type PasskeyRow,
  type FactorStep,
  type TotpRow,
} from "./queries.ts";
import { Tickets, type TicketNeeds } from "./tickets.ts";

export type FactorKind = "totp" | "passkey";

export interface Factors extends FactorRows {
  /** Empty: the password is all there is. */
  kinds: FactorKind[];
}

interface FactorNeeds extends TicketNeeds {
  database: Database;
  log: Log;
}

const recoveryCodesMade = 10;

export class SecondFactors {
  readonly #needs: FactorNeeds;
  readonly tickets: Tickets;

  constructor(needs: FactorNeeds) {
    this.#needs = needs;
    this.tickets = new Tickets(needs);
  }

  async of(accountId: AccountId): Promise<Factors> {
    const rows = await readFactorRows(this.#needs.database, accountId);
    const kinds: FactorKind[] = [];
    if (rows.totp !== null && rows.totp.confirmed_at_ms !== null) kinds.push("totp");
    if (rows.passkeys.length > 0) kinds.push("passkey");
    return { ...rows, kinds };
  }

  async isEnrolled(accountId: AccountId): Promise<boolean> {
    return (await this.of(accountId)).kinds.length > 0;
  }

  /** A secret for an app, which counts once a code of it has been seen. */
  newTotp(accountId: AccountId): { secret: Uint8Array; row: TotpRow } {
    const secret = createTotpSecret(this.#needs.random);
    return { secret, row: this.#toTotpRow(accountId, secret) };
  }

  /** A secret that an app elsewhere has shown codes of before. */
  knownTotp(accountId: AccountId, secret: Uint8Array): TotpRow {
    const row = this.#toTotpRow(accountId, secret);
    return { ...row, confirmed_at_ms: row.created_at_ms };
  }

  #toTotpRow(accountId: AccountId, secret: Uint8Array): TotpRow {
    const { seal, clock } = this.#needs;
    return {
      account_id: accountId,
      sealed: seal.close(Buffer.from(secret).toString("base64url"), totpContext(accountId)),
      last_step: 0,
      created_at_ms: clock.nowMs(),
      confirmed_at_ms: null,
    };
  }

  /** The step of the app's clock that the code is of, or null when it is none to be taken. */
  stepOf(row: TotpRow, code: string): number | null {
    const { seal, clock, log } = this.#needs;
    let secret: string;
    try {
      secret = seal.open(row.sealed, totpContext(row.account_id));
    } catch (error) {
      log.error("the secret of an authenticator app cannot be opened", { error: describe(error) });
      return null;
    }
    const bytes = Buffer.from(secret, "base64url");
    return stepOf(bytes, code, { nowMs: clock.nowMs(), lastStep: row.last_step });
  }

  /** Step that uses up a code of the app or of the paper; null when it cannot be right. */
  async useOfCode(accountId: AccountId, code: string): Promise<FactorStep | null> {
    const { database } = this.#needs;
    if (!/^\d{6}$/.test(code)) {
      const plain = readSpelt(code);
      const hash = plain === null ? null : recoveryHash(accountId, plain);
      return hash === null ? null : useOfRecoveryCode(database, accountId, hash);
    }
    const { totp, kinds } = await this.of(accountId);
    const step = totp && kinds.includes("totp") ? this.stepOf(totp, code) : null;
    return step === null ? null : useOfTotp(database, accountId, step);
  }

  /** Step that uses up a passkey's answer; null when it is not signed by that key. */
  async useOfAssertion(assertion: Assertion, ask: AssertionAsk): Promise<FactorStep | null> {
    const counter = await readCounter(assertion, ask);
    if (counter === null) return null;
    const nowMs = this.#needs.clock.nowMs();
    return useOfPasskey(this.#needs.database, ask.row, { counter, nowMs });
  }

  async findPasskey({ id }: Assertion): Promise<PasskeyRow | null> {
    return await findPasskey(this.#needs.database, id);
  }

  /** Codes to be shown once, and what is kept of them. */
  newRecoveryCodes(accountId: AccountId): { codes: string[]; hashes: string[] } {
    const codes = Array.from({ length: recoveryCodesMade }, () =>
      createRecoveryCode(this.#needs.random),
    );
    const hashes = codes.map((code) => recoveryHash(accountId, readSpelt(code) ?? code));
    return { codes, hashes };
  }

  async expire(): Promise<void> {
    await deleteOver(this.#needs.database, this.#needs.clock.nowMs());
  }
}

export function totpContext(accountId: AccountId): string {
  return `authenticator app of ${accountId}`;
}

function recoveryHash(accountId: AccountId, plain: string): string {
  return digest(`${accountId} ${plain}`);
}
