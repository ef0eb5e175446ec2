// Running work: each request in flight, how the process is doing, and a way to stop one.
import { useState } from "preact/hooks";
import type { InflightView } from "../../../src/admin/contract.ts";
import { may } from "../../core/session.ts";
import { refresh, useAction } from "../../core/api.ts";
import { pathOf, send, usePolled } from "../../core/control.ts";
import { bytes, count, millis } from "../../core/format.ts";
import { addressOf, query } from "../../core/place.ts";
import { Badge, Dot } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Confirm } from "../../kit/dialog.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Card } from "../../kit/figures.tsx";
import { List } from "../../kit/rest/list.tsx";
import type { Column } from "../../kit/table.tsx";
import { showToast } from "../../kit/toast.tsx";
import { titleOf } from "../titles.ts";
import { Screen } from "../../shell/screen.tsx";
import { Gauges } from "./gauges.tsx";
import { t } from "./words.ts";

const everyMs = 2000;
const pageSize = 50;

export function Page() {
  const [stopped, setStopped] = useState<InflightView | null>(null);
  const ask = { query: { p: Number(query.value.get("p") ?? 1), page_size: pageSize } };
  const path = pathOf("GET /api/inflight", ask);
  const loaded = usePolled(everyMs, "GET /api/inflight", ask);
  return (
    <Screen title={titleOf("live")}>
      <Gauges running={loaded.data?.total ?? null} />
      <Card title={t().inFlight} note={t().oldestFirst} tools={<CurlButton path={path} />} isFlush>
        <List
          label={t().inFlight}
          // Answers that come every two seconds are not waited for by eye.
          loaded={{ ...loaded, isPending: false }}
          columns={columnsOf(setStopped)}
          idOf={({ request_id }) => request_id}
          empty={<Empty title={t().quiet} text={t().quietText} />}
        />
      </Card>
      {stopped && <StopRequest view={stopped} onClose={() => setStopped(null)} />}
    </Screen>
  );
}

function columnsOf(onStop: (view: InflightView) => void): Column<InflightView>[] {
  const words = t();
  return [
    { name: "model", head: words.model, cell: modelOf, card: "title" },
    { name: "format", head: words.format, cell: formatOf, card: "line" },
    {
      name: "age",
      head: words.age,
      cell: ({ age_ms }) => <span class="number">{millis(age_ms)}</span>,
      isRight: true,
      card: "aside",
    },
    {
      name: "bytes",
      head: words.bytes,
      cell: ({ stream, bytes: taken }) =>
        stream ? <span class="number">{bytes(taken)}</span> : <span class="faint">–</span>,
      isRight: true,
      card: "hidden",
    },
    { name: "channel", head: words.channel, cell: channelOf, card: "line" },
    { name: "key", head: words.key, cell: ({ key_name }) => key_name, card: "line" },
    { name: "account", head: words.account, cell: ({ account }) => account, card: "line" },
    { name: "group", head: words.group, cell: ({ group }) => group, card: "hidden" },
    { name: "ip", head: words.ip, cell: ({ ip }) => ip, card: "hidden" },
    {
      name: "id",
      head: words.id,
      cell: ({ request_id }) => <span class="mono faint">{request_id}</span>,
      card: "hidden",
    },
    {
      name: "stop",
      head: "",
      cell: (view) =>
        view.can_end &&
        may("requests.end") && (
          <Button
            kind="plain"
            isSmall
            icon="stop"
            label={words.stopLabel(view.request_id)}
            onClick={() => onStop(view)}
          />
        ),
      isRight: true,
      card: "aside",
    },
  ];
}

function modelOf({ model }: InflightView) {
  return (
    <span class="strong" title={model}>
      {model || t().reading}
    </span>
  );
}

function formatOf({ format, stream }: InflightView) {
  return (
    <span class="row">
      <span class="faint">{format}</span>
      {stream && <Badge>{t().stream}</Badge>}
    </span>
  );
}

function channelOf({ channel, channel_id: id, attempts }: InflightView) {
  if (channel === null || id === null) return <Dot tone="none">{t().waiting}</Dot>;
  return (
    <span class="row">
      <Dot tone="good" isLive>
        <a class="cut" href={addressOf("channels", id)}>
          {channel}
        </a>
      </Dot>
      {attempts > 1 && <Badge tone="warn">{t().attempt(count(attempts))}</Badge>}
    </span>
  );
}

function StopRequest({ view, onClose }: { view: InflightView; onClose(): void }) {
  const stop = useAction(async () => {
    await send("DELETE /api/inflight/{id}", { id: view.request_id });
    showToast(t().wasStopped(view.model));
    refresh("/api/inflight");
    onClose();
  });
  return (
    <Confirm
      title={t().stopTitle(view.model)}
      effect={t().stopEffect(view.key_name)}
      submit={t().stop}
      action={stop}
      onClose={onClose}
    />
  );
}
