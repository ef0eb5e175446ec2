// The money of a request: what was held, charged and given back, and the sum that it comes from.
import type { LogView, TraceView } from "../../../src/admin/contract.ts";
import { count, exactMoney, fullMoney } from "../../core/format.ts";
import { addressOf } from "../../core/place.ts";
import { Icon } from "../../kit/icon.tsx";
import { billOf, lineDollars, type Bill } from "./bill.ts";
import { t } from "./words.ts";

type Booking = NonNullable<TraceView["money"]>;

export function Money({ row, money }: { row: LogView; money: Booking }) {
  const words = t();
  const bill = money.kind === "post" ? billOf(money.price, money.usage) : null;
  const isEqual = row.micros === money.charged_micros && (!bill || bill.micros === row.micros);
  return (
    <section class="stack part">
      <h3>{words.money}</h3>
      <div class="flows number">
        <Amount name={words.held} micros={money.held_micros} />
        <Icon name="arrow" />
        <Amount name={words.charged} micros={money.charged_micros} isStrong />
        <Icon name="arrow" />
        <Amount name={words.givenBack} micros={money.given_back_micros} />
      </div>
      {bill && <Sum bill={bill} />}
      {!bill && money.kind === "post" && <Noted money={money} />}
      <p class={isEqual ? "row good" : "row bad"}>
        <Icon name={isEqual ? "check" : "warning"} />
        <a href={`${addressOf("ledger")}?id=${encodeURIComponent(row.request_id)}`}>
          {isEqual ? (bill ? words.adds : words.agrees) : words.differs}
        </a>
        {bill && <span class="push strong number">{exactMoney(bill.micros)}</span>}
      </p>
      {money.kind === "void" && <p class="quiet">{words.nothingCharged}</p>}
      {row.estimated && money.kind === "post" && <p class="quiet">{words.estimated}</p>}
      {(money.loss_micros ?? 0) > 0 && (
        <p class="warn">{words.loss(exactMoney(money.loss_micros ?? 0))}</p>
      )}
    </section>
  );
}

function Amount({ name, micros, isStrong }: { name: string; micros: number; isStrong?: boolean }) {
  return (
    <div>
      <span class="faint">{name}</span>
      <span class={isStrong ? "strong" : ""}>{exactMoney(micros)}</span>
    </div>
  );
}

function Sum({ bill: { lines, callMicros } }: { bill: Bill }) {
  const words = t();
  return (
    <table class="table sum" aria-label={words.formula}>
      <tbody>
        {lines.map((line) => (
          <tr key={line.name}>
            <td class="quiet">{words.lines[line.name]}</td>
            <td class="right">{count(line.tokens)}</td>
            <td class="faint">{words.perMillion(fullMoney(line.picos))}</td>
            <td class="right">{lineDollars(line, lines)}</td>
          </tr>
        ))}
        {callMicros > 0 && (
          <tr>
            <td class="quiet">{words.call}</td>
            <td />
            <td />
            <td class="right">{exactMoney(callMicros)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** Price and usage in the ledger's own record. */
function Noted({ money: { price, usage } }: { money: Booking }) {
  return (
    <p class="quiet wrap">
      {t().noted} <span class="mono">{usage ?? "–"}</span> ·{" "}
      <span class="mono">{price ?? "–"}</span>
    </p>
  );
}
