// Webhooks: what callbacks were told and how it went. Admins see everyone's, others their own.
import { useState } from "preact/hooks";
import { count, lately } from "../../core/format.ts";
import { addressOf } from "../../core/place.ts";
import { may, scopedAt } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import type { Column } from "../../kit/table.tsx";
import { ListPage } from "../../shell/list-page.tsx";
import { DeliveryDrawer } from "./detail.tsx";
import { DeliveryState, waits, type Shown } from "./parts.tsx";
import { Secret } from "./secret.tsx";
import { TestCall } from "./test-call.tsx";
import { t } from "./words.ts";

export function Page() {
  const words = t();
  const [dialog, setDialog] = useState<"test" | "secret" | null>(null);
  const close = () => setDialog(null);
  return (
    <ListPage
      name="webhooks"
      at={scopedAt("GET /api/webhook", "GET /api/webhook/self")}
      words={words}
      everyMs={4000}
      moves={waits}
      filters={[{ name: "task", label: words.task, isLinked: "chip" }]}
      columns={columnsOf()}
      open={(opened) => <DeliveryDrawer key={opened.id} {...opened} />}
      buttons={
        <Button kind="main" icon="send" onClick={() => setDialog("test")}>
          {words.test}
        </Button>
      }
      tools={() => (
        <Button icon="key" onClick={() => setDialog("secret")}>
          {words.secret}
        </Button>
      )}
    >
      {dialog === "test" && <TestCall onClose={close} />}
      {dialog === "secret" && <Secret onClose={close} />}
    </ListPage>
  );
}

function columnsOf(): (Omit<Column<Shown>, "sort"> | false)[] {
  const words = t();
  return [
    { name: "event", head: words.event, cell: ({ event }) => event, card: "title" },
    may("usage.read") && { name: "account", head: words.account, cell: ({ account }) => account },
    {
      name: "task",
      head: words.task,
      cell: ({ task_id }) => (
        <a class="mono" href={addressOf("media", task_id)}>
          {task_id}
        </a>
      ),
      yields: "late",
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
    { name: "created", head: words.created, cell: ({ created_at }) => lately(created_at) },
    { name: "state", head: words.state, cell: (row) => <DeliveryState row={row} />, card: "aside" },
  ];
}
