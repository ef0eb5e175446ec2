// Facts of one channel: state, address, keys, models, and what it does to a request.
import type { ChannelView } from "../../../src/admin/contract.ts";
import { may } from "../../core/session.ts";
import { count, exactMoney, lately, millis, moment } from "../../core/format.ts";
import { Declared } from "../../kit/waiting.tsx";
import { Dot } from "../../kit/badge.tsx";
import { LinkButton } from "../../kit/button.tsx";
import { Code, Id } from "../../kit/code.tsx";
import { Facts } from "../../kit/figures.tsx";
import { Table } from "../../kit/table.tsx";
import { CachedShare, ChannelState, DayStrip, type useDay } from "./parts.tsx";
import { t } from "./words.ts";

interface FactsOptions {
  view: ChannelView;
  day: ReturnType<ReturnType<typeof useDay>>;
}

export function ChannelFacts({ view, day }: FactsOptions) {
  const words = t();
  const { health } = view;
  return (
    <>
      <Notes view={view} />
      <Facts
        pairs={[
          [words.state, <ChannelState view={view} />],
          [words.last24h, <DayStrip day={day} />],
          [words.cachedShare, <CachedShare day={day} />],
          health.failures_in_a_row > 0 && [words.failuresInRow, count(health.failures_in_a_row)],
          [words.lastError, <ErrorText view={view} />],
          [words.flight, count(view.in_flight)],
          [words.concurrency, view.concurrency === null ? words.noLimit : count(view.concurrency)],
          view.requests_per_minute !== null && [
            words.requests_per_minute,
            count(view.requests_per_minute),
          ],
          view.tokens_per_minute !== null && [
            words.tokens_per_minute,
            count(view.tokens_per_minute),
          ],
          view.key_requests_per_minute !== null && [
            words.key_requests_per_minute,
            count(view.key_requests_per_minute),
          ],
          view.key_tokens_per_minute !== null && [
            words.key_tokens_per_minute,
            count(view.key_tokens_per_minute),
          ],
          may("money.read") &&
            view.spend_per_day_micros !== null && [
              words.spend_per_day_micros,
              exactMoney(view.spend_per_day_micros),
            ],
          view.hidden_prompt_tokens > 0 && [
            words.hidden_prompt_tokens,
            count(view.hidden_prompt_tokens),
          ],
          view.cost?.percent !== undefined && [words.costPrice, `${view.cost.percent} %`],
          [words.order, words.orderTitle(view.priority, view.weight)],
          [words.groups, view.groups.join(", ")],
          [words.address, <span class="mono">{view.base_url}</span>],
          [words.type, view.type],
          ...Object.entries(view.vendor).map(
            ([name, value]) =>
              [`${words.cloudFields}: ${name}`, <span class="mono">{value}</span>] as const,
          ),
          [words.format, view.format ?? words.byType],
          [words.waits, <Waits view={view} />],
          view.proxy !== null && [words.proxy, <span class="mono">{view.proxy}</span>],
          flagsOf(view) !== "" && [words.more, flagsOf(view)],
          view.implausible > 0 && [words.implausible, count(view.implausible)],
          !view.sandbox && [words.created, moment(view.created_at, "full")],
          [words.id, <Id text={view.id} />],
        ]}
      />
    </>
  );
}

function Notes({ view }: { view: ChannelView }) {
  const words = t();
  return (
    <>
      {view.declared && <Declared />}
      {view.sandbox && <p class="notice">{words.sandboxText}</p>}
      {view.unpriced.length > 0 && (
        <div class="notice warn">
          <span class="wrap">{words.unpriced(view.unpriced.join(", "))}</span>
          <LinkButton isSmall href="/console/prices">
            {words.toPrices}
          </LinkButton>
        </div>
      )}
    </>
  );
}

function ErrorText({ view: { health } }: { view: ChannelView }) {
  const error = health.last_error;
  if (!error) return <span class="faint">{t().none}</span>;
  const { at, status, code, message } = error;
  return (
    <span class="wrap">
      <span class="faint">{moment(at, "full")}</span>{" "}
      <span class="mono">{status === null ? code : `${status} ${code}`}</span> {message}
    </span>
  );
}

function Waits({ view: { first_byte_ms, stall_ms, total_ms } }: { view: ChannelView }) {
  const words = t();
  const waits = [first_byte_ms, stall_ms, total_ms];
  if (waits.every((ms) => ms === null)) return <>{words.usual}</>;
  const text = (ms: number | null) => (ms === null ? words.usual : millis(ms));
  return <>{words.waitsOf(text(first_byte_ms), text(stall_ms), text(total_ms))}</>;
}

function flagsOf(view: ChannelView): string {
  const { flags } = t();
  const names = ["drop_store", "allow_private", "allow_objects", "allow_routing", "http2"] as const;
  const shown = names.filter((name) => view[name]).map((name) => flags[name]);
  return (view.affinity ? shown : [...shown, flags.no_affinity]).join(", ");
}

export function KeyTable({ view: { keys } }: { view: ChannelView }) {
  const words = t();
  const rows = keys.map((key, at) => ({ ...key, at }));
  return (
    <section class="stack">
      <h3>{words.keys}</h3>
      <Table
        label={words.keys}
        rows={rows}
        idOf={({ at }) => String(at)}
        columns={[
          { name: "key", head: words.key, cell: ({ last4 }) => <span class="mono">…{last4}</span> },
          { name: "state", head: words.state, cell: (key) => <KeyState {...key} />, card: "aside" },
          {
            name: "reason",
            head: words.reason,
            cell: ({ reason }) => <span title={reason ?? ""}>{reason ?? ""}</span>,
          },
        ]}
      />
    </section>
  );
}

function KeyState({ status, rests_until: until, rests_for: of }: ChannelView["keys"][number]) {
  const words = t();
  if (status === "disabled") return <Dot tone="none">{words.disabled}</Dot>;
  if (until !== null)
    return <Dot tone="warn">{words.restsUntil(lately(until), of?.join(", "))}</Dot>;
  return <Dot tone="good">{words.enabled}</Dot>;
}

export function ModelTable({ view: { models, model_mapping: names } }: { view: ChannelView }) {
  const words = t();
  return (
    <section class="stack">
      <h3>{words.models}</h3>
      <Table
        label={words.models}
        rows={models}
        idOf={(model) => model}
        columns={[
          { name: "model", head: words.model, cell: (model) => model },
          {
            name: "upstream",
            head: words.upstreamModel,
            cell: (model) => <span class="mono quiet">{names[model] ?? model}</span>,
          },
        ]}
      />
    </section>
  );
}

/** Empty rewrites are not shown. */
export function Rewrites({ view }: { view: ChannelView }) {
  const words = t();
  const parts = [
    [words.parameters, view.parameters],
    [words.addedHeaders, view.headers],
    [words.surcharges, view.surcharges],
  ] as const;
  return (
    <>
      {parts.map(([name, value]) =>
        Object.keys(value).length === 0 ? null : (
          <section key={name} class="stack">
            <h3>{name}</h3>
            <Code text={JSON.stringify(value, null, 2)} />
          </section>
        ),
      )}
    </>
  );
}
