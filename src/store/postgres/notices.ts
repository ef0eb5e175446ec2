// Hears what other nodes say. The platform's client listens anew by itself after its connection was
// lost; what was said meanwhile is not heard, so nothing may depend on it alone.
import { SQL } from "bun";

export class Notices {
  readonly #client: SQL;

  constructor(url: string) {
    this.#client = new SQL({ url, adapter: "postgres", max: 1, idleTimeout: 0, maxLifetime: 0 });
  }

  /** Resolves also when it cannot be heard now. */
  async hear(channel: string, heard: (text: string) => void): Promise<void> {
    await this.#client.listen(channel, heard).catch(() => {});
  }

  close(): void {
    this.#client.close({ timeout: 0 }).catch(() => {});
  }
}
