// Alarms that have to be seen on every page: that the books do not agree, and that what is said is
// being captured.
import { usePolled } from "../core/control.ts";
import { money } from "../core/format.ts";
import { addressOf } from "../core/place.ts";
import { may, mayRedeem, self } from "../core/session.ts";
import { later } from "../kit/later.tsx";
import { t } from "./words.ts";

/** Most of the time none is going on. */
const Running = later(async () => (await import("./capturing.tsx")).Running);

const everyMs = 60_000;

export function Alarms() {
  // Visitors see some pages, and nothing of this.
  if (!self.value) return null;
  return (
    <>
      {may("settings.read") && <Books />}
      <LowBalance />
      <Captures />
    </>
  );
}

function Books() {
  const { data } = usePolled(everyMs, "GET /api/status");
  if (data?.process?.last_verify?.ok !== false) return null;
  return (
    <p class="lost" role="alert">
      <span>{t().booksBroken}</span>
      <a href={`${addressOf("ledger")}?part=proof`}>{t().booksShow}</a>
    </p>
  );
}

/** From the amount on that the person has named. */
function LowBalance() {
  const from = self.value?.low_balance_micros ?? null;
  const { data } = usePolled(everyMs, from === null ? null : "GET /api/user/self");
  const left = (data ?? self.value)?.quota_micros ?? null;
  if (from === null || left === null || left >= from) return null;
  return (
    <p class="lost watching" role="note">
      <span>{t().lowBalance(money(left))}</span>
      {mayRedeem() && <a href={addressOf("overview")}>{t().redeem}</a>}
    </p>
  );
}

function Captures() {
  const { data } = usePolled(everyMs, "GET /api/capture");
  const running = (data?.items ?? []).filter(({ is_on: isOn }) => isOn);
  return (
    <>
      {running.map((one) => (
        <Running key={one.id} capture={one} />
      ))}
    </>
  );
}
