// Webhooks: what callbacks were told and how it went. Admins see everyone's, others their own.
import { useEffect, useState } from "preact/hooks";
import type { Listed, OwnDeliveryView, WebhookDeliveryView } from "../../../src/admin/contract.ts";
import { useGet, withQuery, type Loaded } from "../../core/api.ts";
import { count, moment } from "../../core/format.ts";
import { addressOf, openId, pageId, query } from "../../core/place.ts";
import { isAdmin, scoped } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Empty } from "../../kit/empty.tsx";
import { FilterChips } from "../../kit/filters.tsx";
import { Card } from "../../kit/figures.tsx";
import { List, type Column } from "../../kit/table.tsx";
import { titleOf } from "../titles.ts";
import { Screen } from "../../shell/screen.tsx";
import { DeliveryDrawer } from "./detail.tsx";
import { DeliveryState, waits, type Shown } from "./parts.tsx";
import { Secret } from "./secret.tsx";
import { TestCall } from "./test-call.tsx";
import { t } from "./words.ts";

const pageSize = 50;
const everyMs = 4000;

export function Page() {
  const [dialog, setDialog] = useState<"test" | "secret" | null>(null);
  const [task, p] = ["task", "p"].map((name) => query.value.get(name));
  const path = withQuery(scoped("/api/webhook"), { task, p, page_size: pageSize });
  const loaded = useDeliveries(path);
  const items = loaded.data?.items ?? [];
  const at = items.findIndex(({ id }) => id === pageId.value);
  const step = (by: number) => {
    const to = at === -1 ? undefined : items[at + by];
    return to && (() => openId(to.id));
  };
  const close = () => setDialog(null);
  return (
    <Screen
      title={titleOf("webhooks")}
      tools={
        <Button kind="main" icon="send" onClick={() => setDialog("test")}>
          {t().test}
        </Button>
      }
    >
      <div class="bar">
        <FilterChips chips={[task ? { name: "task", text: t().ofTask(task) } : null]} />
        <span class="push row">
          <CurlButton path={path} />
          <Button icon="key" onClick={() => setDialog("secret")}>
            {t().secret}
          </Button>
        </span>
      </div>
      <Card isFlush>
        <List
          label={titleOf("webhooks")}
          loaded={loaded}
          columns={columnsOf()}
          idOf={({ id }) => id}
          openId={pageId.value}
          onOpen={({ id }) => openId(id)}
          empty={<Empty title={t().empty} text={t().emptyText} />}
        />
      </Card>
      {pageId.value !== null && (
        <DeliveryDrawer
          key={pageId.value}
          id={pageId.value}
          {...{ onPrevious: step(-1) }}
          onNext={step(1)}
        />
      )}
      {dialog === "test" && <TestCall onClose={close} />}
      {dialog === "secret" && <Secret onClose={close} />}
    </Screen>
  );
}

/** Asked for again while one of them is still to be delivered. */
function useDeliveries(path: string): Loaded<Listed<Shown>> {
  const [isMoving, setMoving] = useState(false);
  const loaded = useGet<Listed<OwnDeliveryView & Partial<WebhookDeliveryView>>>(
    path,
    isMoving ? everyMs : 0,
  );
  const someWait = loaded.data?.items.some(waits) ?? false;
  useEffect(() => setMoving(someWait), [someWait]);
  return loaded;
}

function columnsOf(): (Column<Shown> | false)[] {
  const words = t();
  return [
    { name: "event", head: words.event, cell: ({ event }) => event, card: "title" },
    isAdmin() && { name: "account", head: words.account, cell: ({ account }) => account },
    {
      name: "task",
      head: words.task,
      cell: ({ task_id }) => (
        <a class="mono" href={addressOf("media", task_id)}>
          {task_id}
        </a>
      ),
      card: "hidden",
    },
    {
      name: "url",
      head: words.url,
      cell: ({ url }) => (
        <span class="cut address" title={url}>
          {url}
        </span>
      ),
      card: "line",
    },
    {
      name: "tries",
      head: words.tries,
      cell: ({ attempts }) => count(attempts),
      isRight: true,
      card: "hidden",
    },
    { name: "created", head: words.created, cell: ({ created_at }) => moment(created_at) },
    { name: "state", head: words.state, cell: (row) => <DeliveryState row={row} />, card: "aside" },
  ];
}
