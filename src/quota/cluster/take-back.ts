// Credit that is taken back. What nodes were lent of it comes to the account's own row first, where
// none of them can spend it.
import { micros, type Micros } from "../../core/money.ts";
import type { Grant } from "../ledger.ts";
import type { Slices } from "./slices.ts";

interface TakeBackNeeds {
  slices: Slices;
  /** Resolves when what goes back by then is in the account's row. */
  returned(): Promise<void>;
  book(amount: Micros): Promise<void>;
}

const triesMax = 5;

/** At most what is left; tells how much that was. */
export async function takeBack(needs: TakeBackNeeds, grant: Grant): Promise<Micros> {
  for (let tries = 1; ; tries++) {
    const back = await bringBack(needs, grant);
    try {
      await needs.book(back);
      return back;
    } catch (error) {
      // Somebody else was lent it in between.
      if (tries >= triesMax) throw error;
    }
  }
}

async function bringBack(
  { slices, returned }: TakeBackNeeds,
  { account: { id }, micros: wanted }: Grant,
): Promise<Micros> {
  const slice = slices.account(id);
  const back = await slices.wait([slice], -wanted, () => {
    const amount = Math.min(-wanted, Math.max(0, slice.freeMicros));
    slices.returnSome(slice, amount);
    return amount;
  });
  await returned();
  return micros(-back);
}
