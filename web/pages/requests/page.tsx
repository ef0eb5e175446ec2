// Requests: each one that came, how it ended, what it cost, and how it got there.
import { useEffect, useState } from "preact/hooks";
import type { ListedLog, LogView } from "../../../src/admin/contract.ts";
import { useAsked } from "../../core/control.ts";
import { withQuery, type Loaded } from "../../core/api.ts";
import { compact, count, exactMoney, lately, money } from "../../core/format.ts";
import { useLive, type LiveState } from "../../core/live.ts";
import { openId, pageId, query } from "../../core/place.ts";
import { days } from "../../core/time/range.ts";
import { scoped, scopedAt, seesMoney } from "../../core/session.ts";
import { LinkButton } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ClearFilters } from "../../kit/filters.tsx";
import { Card } from "../../kit/figures.tsx";
import { RangePicker } from "../../kit/range.tsx";
import { List } from "../../kit/rest/list.tsx";
import { Dot } from "../../kit/badge.tsx";
import { titleOf } from "../titles.ts";
import { Screen } from "../../shell/screen.tsx";
import { csvPath, filterNames, rowsPath, wantedPage, wantedRows } from "./ask.ts";
import { CaptureButton } from "./capture.tsx";
import { columnsOf } from "./columns.tsx";
import { clearFilters, Filters } from "./filters.tsx";
import { useFollowing } from "./following.ts";
import { Trace } from "./trace.tsx";
import { Volume } from "./volume.tsx";
import { t } from "./words.ts";

const liveRowsMax = 100;

const idOf = ({ request_id }: LogView) => request_id;

export function Page() {
  const isLive = query.value.has("live") && !query.value.has("cursor") && !days.value;
  const path = rowsPath();
  const log = scopedAt("GET /api/log", "GET /api/log/self");
  const loaded = useAsked(log, { query: wantedPage() });
  const { rows, state } = useArrivals(isLive, loaded.data?.items ?? null);
  const shown = { ...loaded, data: loaded.data && { ...loaded.data, items: rows } };
  const at = rows.findIndex(({ request_id }) => request_id === pageId.value);
  const step = (by: number) => {
    const to = at === -1 ? undefined : rows[at + by];
    return to && (() => openId(to.request_id));
  };
  return (
    <Screen
      title={titleOf("requests")}
      tools={
        <>
          <CaptureButton />
          <RangePicker />
        </>
      }
    >
      <Filters isLive={isLive} />
      <Volume />
      <Card isFlush>
        <Totals loaded={loaded} path={path} />
        {isLive && <LiveLine state={state} last={rows[0] ?? null} />}
        <List
          label={titleOf("requests")}
          loaded={shown}
          columns={columnsOf(rows)}
          idOf={idOf}
          openId={pageId.value}
          onOpen={({ request_id }) => openId(request_id)}
          empty={<None />}
        />
      </Card>
      {pageId.value !== null && (
        <Trace key={pageId.value} id={pageId.value} onPrevious={step(-1)} onNext={step(1)} />
      )}
    </Screen>
  );
}

/** Requests that ended since, before those asked for; one that comes twice is shown once. */
function useArrivals(isLive: boolean, listed: readonly LogView[] | null) {
  const [arrived, setArrived] = useState<readonly LogView[]>([]);
  const path = isLive ? withQuery(scoped("/api/live"), wantedRows()) : null;
  useEffect(() => setArrived([]), [path]);
  const countAgain = useFollowing();
  const state = useLive<LogView>(path, (row) => {
    setArrived((old) =>
      [row, ...old.filter((one) => idOf(one) !== idOf(row))].slice(0, liveRowsMax),
    );
    countAgain();
  });
  const ids = new Set(arrived.map(idOf));
  return { state, rows: [...arrived, ...(listed ?? []).filter((row) => !ids.has(idOf(row)))] };
}

function LiveLine({ state, last }: { state: LiveState; last: LogView | null }) {
  const words = t();
  return (
    <p class="live-line" role="status">
      <Dot tone={state === "lost" ? "bad" : "none"} isLive={state === "live"}>
        {words.liveStates[state]}
        {last && <span class="faint"> {words.lastOne(lately(last.time))}</span>}
      </Dot>
    </p>
  );
}

/** Totals of everything that the filter finds, not of this page. */
function Totals({ loaded: { data }, path }: { loaded: Loaded<ListedLog>; path: string }) {
  if (!data || data.items.length === 0) return null;
  return (
    <div class="totals">
      <Sums data={data} />
      <span class="push row">
        <LinkButton isSmall icon="download" href={csvPath()} download="requests.csv">
          {t().csv}
        </LinkButton>
        <CurlButton path={path} />
      </span>
    </div>
  );
}

function Sums({ data: { sum, total, total_is_exact: isExact } }: { data: ListedLog }) {
  const words = t();
  if (!sum) {
    const text = isExact ? words.inAll(count(total)) : words.moreThan(count(total));
    return <span class="quiet number">{text}</span>;
  }
  return (
    <>
      <span class="strong number">{words.inAll(count(sum.requests))}</span>
      {seesMoney("usage.read") && (
        <span class="number" title={exactMoney(sum.micros)}>
          {money(sum.micros)}
        </span>
      )}
      <span class="quiet number">
        {words.inOut(compact(sum.input_tokens), compact(sum.output_tokens))}
      </span>
      {sum.failures > 0 && <span class="bad number">{words.failedCount(count(sum.failures))}</span>}
      {!sum.is_exact && <span class="faint">{words.roughly}</span>}
    </>
  );
}

function None() {
  const words = t();
  const isFiltered = ["q", "outcome", ...filterNames].some((name) => query.value.has(name));
  if (isFiltered) {
    return (
      <Empty title={words.noMatch} text={words.noMatchText}>
        <ClearFilters onClick={clearFilters} />
      </Empty>
    );
  }
  return <Empty title={words.none} text={words.noneText} />;
}
