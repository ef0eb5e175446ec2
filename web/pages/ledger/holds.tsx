// Holds of running work: the oldest first, because an old hold is the one to look at.
import { exactMoney, millis, moment } from "../../core/format.ts";
import { addressOf } from "../../core/place.ts";
import { Badge } from "../../kit/badge.tsx";
import { ListView, type ColumnOf } from "../../shell/list-page.tsx";
import { t } from "./words.ts";

export function OpenHolds() {
  const words = t();
  const { noHolds: empty, noHoldsText: emptyText } = words;
  return (
    <ListView
      label={words.holds}
      at="GET /api/hold"
      everyMs={15_000}
      words={{ empty, emptyText, noMatch: empty, noMatchText: emptyText }}
      filters={[
        { name: "account", label: words.searchAccount },
        { name: "kind", label: words.kind, all: words.anyKind, choices: words.holdKinds },
      ]}
      columns={columns()}
      tools={(answer) =>
        answer && <span class="quiet">{words.heldInAll(exactMoney(answer.micros))}</span>
      }
    />
  );
}

function columns(): ColumnOf<"GET /api/hold">[] {
  const words = t();
  return [
    {
      name: "age",
      head: words.age,
      cell: ({ age_seconds: age, created_at: at }) => (
        <span title={moment(at, "full")}>{millis(age * 1000)}</span>
      ),
      card: "line",
    },
    {
      name: "kind",
      head: words.kind,
      cell: ({ kind }) => <Badge>{words.holdKinds[kind]}</Badge>,
      card: "line",
    },
    { name: "account", head: words.account, cell: ({ account }) => account },
    { name: "model", head: words.model, cell: ({ model }) => model, card: "title" },
    {
      name: "id",
      head: words.id,
      cell: ({ id, kind }) => (
        <a class="mono" href={addressOf(kind === "task" ? "media" : "live", id)}>
          {id}
        </a>
      ),
      card: "hidden",
    },
    {
      name: "micros",
      head: words.held,
      cell: ({ micros }) => exactMoney(micros),
      isRight: true,
      card: "aside",
    },
  ];
}
