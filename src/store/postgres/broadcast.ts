// Passing messages between nodes, by notices. They go out together and apart from any commit of
// ours: one that notifies keeps all others waiting until it is synced. What is lost is lost:
// whoever must know looks for itself as well.
import type { ConnectionPool } from "./pool.ts";
import type { Notices } from "./notices.ts";

interface BroadcastNeeds {
  pool: ConnectionPool;
  notices: Notices;
  /** Nobody hears itself. */
  sender: string;
  /** A little later, when others have added theirs. */
  soon(run: () => void): void;
}

const channelOfBroadcast = "sluice_tidings";
/** A notice has room for eight thousand bytes. */
const subjectsMax = 100;

export class Broadcast {
  readonly #needs: BroadcastNeeds;
  #waiting = new Set<string>();

  constructor(needs: BroadcastNeeds) {
    this.#needs = needs;
  }

  tell(subject: string): void {
    this.#waiting.add(subject);
    if (this.#waiting.size === 1) this.#needs.soon(() => void this.#send());
  }

  hear(heard: (subjects: readonly string[]) => void): void {
    const { notices, sender } = this.#needs;
    void notices.hear(channelOfBroadcast, (text) => {
      const [from, ...subjects] = text.split(" ");
      if (from !== sender) heard(subjects);
    });
  }

  async #send(): Promise<void> {
    const subjects = [...this.#waiting];
    this.#waiting = new Set();
    for (let at = 0; at < subjects.length; at += subjectsMax) {
      const text = [this.#needs.sender, ...subjects.slice(at, at + subjectsMax)].join(" ");
      // Nothing of it has to survive, so nobody waits for the disk.
      const sql = "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";
      await this.#needs.pool.use((one) => one.ask(sql, [channelOfBroadcast, text])).catch(() => {});
    }
  }
}
