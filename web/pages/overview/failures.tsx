// Recent failures.
import type { LogView } from "../../../src/admin/contract.ts";
import { usePolled } from "../../core/control.ts";
import { lately, moment } from "../../core/format.ts";
import { addressOf, go } from "../../core/place.ts";
import { scopedAt } from "../../core/session.ts";
import { LinkButton } from "../../kit/button.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Card } from "../../kit/figures.tsx";
import { StatusDot } from "../../kit/request.tsx";
import { ShortList, type Column } from "../../kit/table.tsx";
import { t } from "./words.ts";

const everyMs = 15_000;
const shownMax = 8;
const filter = "outcome=failed&range=7d";

export function Failures() {
  const words = t();
  const query = { failed: true, page_size: shownMax };
  const at = scopedAt("GET /api/log", "GET /api/log/self");
  const loaded = usePolled(everyMs, at, { query });
  // The rest of them are on the page of requests.
  const data = loaded.data && { items: loaded.data.items };
  const all = (
    <LinkButton kind="plain" isSmall href={`${addressOf("requests")}?${filter}`}>
      {words.allFailures}
    </LinkButton>
  );
  return (
    <Card title={words.failures} tools={all} isFlush>
      <ShortList
        label={words.failures}
        loaded={{ ...loaded, data }}
        columns={columnsOf()}
        idOf={({ request_id }) => request_id}
        onOpen={({ request_id }) => go(`${addressOf("requests", request_id)}?${filter}`)}
        empty={<Empty title={words.noFailures} text={words.noFailuresText} />}
      />
    </Card>
  );
}

function columnsOf(): Column<LogView>[] {
  const words = t();
  return [
    {
      name: "time",
      head: words.time,
      cell: ({ time }) => (
        <span class="number" title={moment(time, "full")}>
          {lately(time)}
        </span>
      ),
      card: "title",
    },
    { name: "status", head: words.status, cell: (row) => <StatusDot row={row} />, card: "aside" },
    {
      name: "code",
      head: words.code,
      cell: ({ error_code: code }) => <span title={code ?? ""}>{code ?? "–"}</span>,
      card: "line",
    },
    {
      name: "model",
      head: words.model,
      cell: ({ model }) => (
        <span class="quiet" title={model}>
          {model || "–"}
        </span>
      ),
      card: "line",
    },
  ];
}
