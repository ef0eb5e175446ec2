// Secrets that sign callbacks. Nothing secret is stored: each is made from the installation's own
// and from how often the account has changed it.
import type { Clock } from "../../core/clock.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Database } from "../../store/database.ts";
import { findSecretVersion, raiseSecretVersion } from "./queries.ts";
import { webhookSecret } from "./signature.ts";

interface SecretNeeds {
  master: string;
  database: Database;
  clock: Clock;
}

/** Receivers have so long to take the new one in. */
const overlapMs = 86_400_000;

export class WebhookSecrets {
  readonly #needs: SecretNeeds;

  constructor(needs: SecretNeeds) {
    this.#needs = needs;
  }

  /** The one in force; behind it the one before, for a day after a change. */
  async of(accountId: AccountId): Promise<[string, ...string[]]> {
    const { master, database, clock } = this.#needs;
    const row = await findSecretVersion(database, accountId);
    const { version, rotated_at_ms: sinceMs } = row ?? { version: 0, rotated_at_ms: 0 };
    const current = webhookSecret(master, accountId, version);
    const isSettled = version === 0 || clock.nowMs() - sinceMs >= overlapMs;
    return isSettled ? [current] : [current, webhookSecret(master, accountId, version - 1)];
  }

  /** `database` is the one to write with. */
  async rotate(database: Database, accountId: AccountId): Promise<void> {
    await raiseSecretVersion(database, accountId, this.#needs.clock.nowMs());
  }
}
