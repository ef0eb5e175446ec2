// The groups in memory. A key whose group is not there is refused, so a deleted group locks out.
import type { ChannelPreference } from "../config/fields.ts";
import type { Database } from "../store/database.ts";
import type { RateRule } from "./rate-subject.ts";
import { readGroups } from "./groups/queries.ts";

interface Group {
  name: string;
  multiplierPpm: number;
  prefer: ChannelPreference;
  rule: RateRule;
}

export const defaultGroup = "default";

export class Groups {
  #byName: ReadonlyMap<string, Group> = new Map();

  async reload(database: Database): Promise<void> {
    const rows = await readGroups(database);
    this.#byName = new Map(
      rows.map((row) => [
        row.name,
        {
          name: row.name,
          multiplierPpm: row.multiplier_ppm,
          prefer: row.prefer,
          rule: {
            requestsPerMinute: row.requests_per_minute,
            tokensPerMinute: row.tokens_per_minute,
            concurrency: row.concurrency,
          },
        },
      ]),
    );
  }

  get all(): Group[] {
    return [...this.#byName.values()];
  }

  find(name: string): Group | undefined {
    return this.#byName.get(name);
  }
}
