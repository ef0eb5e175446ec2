// An amount of money in a list, with all of its digits in a hint.
import { exactMoney, money } from "../../core/format.ts";

export function Amount({ micros }: { micros: number | undefined }) {
  return (
    <span class="number" title={exactMoney(micros)}>
      {money(micros)}
    </span>
  );
}
