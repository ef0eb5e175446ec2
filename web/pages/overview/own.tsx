// Facts that a member wants: how much money is left and the way to more, which key is running out,
// and where to call.
import { useAnswer, usePolled } from "../../core/control.ts";
import { money } from "../../core/format.ts";
import { addressOf } from "../../core/place.ts";
import { mayRedeem, self } from "../../core/session.ts";
import { withRest } from "../../core/style.ts";
import { Meter } from "../../kit/badge.tsx";
import { LinkButton } from "../../kit/button.tsx";
import { Code } from "../../kit/code.tsx";
import { Card } from "../../kit/figures.tsx";
import { later } from "../../kit/later.tsx";
import { t } from "./words.ts";

const Redeem = later(async () => (await withRest(import("../../shell/redeem.tsx"))).Redeem);

const nearPart = 0.8;
const balanceMs = 60_000;

/** Before all else: without money nothing else happens. Members do not see their organisation's. */
export function Balance() {
  const words = t();
  const { data } = usePolled(balanceMs, "GET /api/user/self");
  const left = (data ?? self.value)?.quota_micros;
  const near = useNearKeys();
  if (left === undefined && near.length === 0) return null;
  return (
    <Card title={left === undefined ? words.runningOut : words.balance}>
      <div class="columns">
        <div class="stack">
          {left !== undefined && (
            <p class="balance number">{left === null ? words.unlimited : money(left)}</p>
          )}
          <RunningOut near={near} />
        </div>
        {mayRedeem() && <Redeem />}
      </div>
    </Card>
  );
}

export function BaseUrl() {
  const words = t();
  return (
    <Card title={words.baseUrl}>
      <p class="quiet">{words.baseText}</p>
      <Code text={`${location.origin}/v1`} />
      <div>
        <LinkButton icon="keys" href={addressOf("keys")}>
          {words.keys}
        </LinkButton>
      </div>
    </Card>
  );
}

function useNearKeys() {
  const { data } = useAnswer("GET /api/token", { query: { sort: "-used_share" } });
  return (data?.items ?? []).flatMap(({ id, name, used_micros: used, quota_micros: all }) =>
    all !== null && used >= all * nearPart ? [{ id, name, used, all }] : [],
  );
}

function RunningOut({ near }: { near: ReturnType<typeof useNearKeys> }) {
  if (near.length === 0) return null;
  return (
    <ul class="stack" aria-label={t().runningOut}>
      {near.map(({ id, name, used, all }) => {
        const text = t().usedOf(money(used), money(all));
        return (
          <li key={id}>
            <div class="row">
              <a class="cut strong" href={addressOf("keys", id)}>
                {name}
              </a>
              <span class="push number quiet">{text}</span>
            </div>
            <Meter part={all === 0 ? 1 : used / all} label={text} />
          </li>
        );
      })}
    </ul>
  );
}
