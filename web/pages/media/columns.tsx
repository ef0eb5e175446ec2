// The list of tasks: where each ran, what it holds, and what it may have lost.
import { lately } from "../../core/format.ts";
import { Amount } from "../../kit/rest/amount.tsx";
import { may, seesMoney } from "../../core/session.ts";
import type { Column } from "../../kit/table.tsx";
import { Cost, TaskState, type Shown } from "./parts.tsx";
import { t } from "./words.ts";

export function columnsOf(): (Omit<Column<Shown>, "sort"> | false)[] {
  const words = t();
  return [
    {
      name: "created",
      head: words.created,
      cell: ({ created_at }) => lately(created_at),
      card: "title",
    },
    { name: "kind", head: words.kind, cell: ({ kind }) => words.kinds[kind], card: "hidden" },
    { name: "model", head: words.model, cell: ({ model }) => model, card: "line" },
    may("usage.read") && { name: "account", head: words.account, cell: ({ account }) => account },
    may("usage.read") && {
      name: "channel",
      head: words.channel,
      cell: ({ channel, channel_id }) => channel ?? <span class="faint">{channel_id}</span>,
      yields: "late",
      card: "hidden",
    },
    { name: "state", head: words.state, cell: (task) => <TaskState task={task} />, card: "aside" },
    {
      name: "error",
      head: words.error,
      cell: ({ error }) => error && <span class="bad mono">{error.code}</span>,
      card: "hidden",
      yields: "late",
    },
    may("usage.read") &&
      may("money.read") && {
        name: "loss",
        head: words.loss,
        cell: ({ loss_micros }) =>
          loss_micros ? (
            <span class="warn">
              <Amount micros={loss_micros} />
            </span>
          ) : null,
        isRight: true,
        card: "hidden",
      },
    seesMoney("usage.read") && {
      name: "cost",
      head: words.cost,
      cell: (task) => <Cost task={task} />,
      isRight: true,
      card: "line",
    },
  ];
}
