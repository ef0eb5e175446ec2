// A key's limit in memory.
import type { KeyId } from "../../core/ids.ts";
import type { Balances } from "../../quota/balances.ts";

/** Admission works on memory, so a new limit holds only once it is there. */
export async function setLimit(
  { balances }: { balances: Balances },
  id: KeyId,
  limitMicros: number | null,
): Promise<void> {
  const balance = await balances.key(id);
  if (balance) balance.limitMicros = limitMicros;
}
