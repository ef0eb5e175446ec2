// Money of one account in a stretch of time: what was there before, what came, and where it went.
import type { AccountId, KeyId } from "../../core/ids.ts";
import type { Database } from "../../store/database.ts";

interface Stretch {
  accountId: AccountId;
  fromMs: number;
  /** Up to, but without, this moment. */
  toMs: number;
}

/** Credit that came, less what was taken back, and charges. */
export async function sumMoney(
  database: Database,
  stretch: Stretch,
): Promise<{ granted: number; spent: number }> {
  const rows = await within(database, stretch)
    .where("kind", "in", ["grant", "post"])
    .groupBy("kind")
    .select(({ fn }) => ["kind", fn.sum<number>("micros").as("micros")])
    .execute();
  const of = (kind: string) => Number(rows.find((row) => row.kind === kind)?.micros ?? 0);
  return { granted: of("grant"), spent: of("post") };
}

function within(database: Database, { accountId, fromMs, toMs }: Stretch) {
  return database
    .selectFrom("entry")
    .where("account_id", "=", accountId)
    .where("at_ms", ">=", fromMs)
    .where("at_ms", "<", toMs);
}

interface Charged {
  model: string | null;
  keyId: KeyId | null;
  count: number;
  micros: number;
}

/** Charges by model and key, the dearest first. */
export async function sumCharges(database: Database, stretch: Stretch): Promise<Charged[]> {
  const rows = await within(database, stretch)
    .where("kind", "=", "post")
    .groupBy(["model", "key_id"])
    .select(({ fn }) => [
      "model",
      "key_id",
      fn.countAll<number>().as("count"),
      fn.sum<number>("micros").as("micros"),
    ])
    .execute();
  return rows
    .map(({ model, key_id: keyId, count, micros }) => ({
      model,
      keyId: keyId as KeyId | null,
      count: Number(count),
      micros: Number(micros),
    }))
    .sort((one, other) => other.micros - one.micros || nameOf(one).localeCompare(nameOf(other)));
}

const nameOf = ({ model, keyId }: Charged) => `${model ?? ""} ${keyId ?? ""}`;
