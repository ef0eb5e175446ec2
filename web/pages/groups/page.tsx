// Groups: which channels their keys reach, at what multiplier and limits, and who is in them.
import type { GroupView } from "../../../src/admin/contract.ts";
import { count } from "../../core/format.ts";
import { may } from "../../core/session.ts";
import { Icon } from "../../kit/icon.tsx";
import { ListPage, type ColumnOf } from "../../shell/list-page.tsx";
import { GroupDetail } from "./detail.tsx";
import { EditGroup } from "./edit.tsx";
import { t } from "./words.ts";

export function Page() {
  const words = t();
  return (
    <ListPage
      name="groups"
      at="GET /api/group"
      words={words}
      filters={[{ name: "q", label: words.search }]}
      columns={columnsOf()}
      idOf={({ name }) => name}
      open={({ id, row, ...steps }) => row && <GroupDetail key={id} view={row} {...steps} />}
      make={{
        label: words.make,
        needs: "groups.write",
        form: (onClose) => <EditGroup view={null} onClose={onClose} />,
      }}
      above={<p class="quiet wrap">{words.emptyText}</p>}
    />
  );
}

function columnsOf(): (ColumnOf<"GET /api/group"> | false)[] {
  const words = t();
  const limit = (value: number | null) =>
    value === null ? <span class="faint">{words.noLimit}</span> : count(value);
  return [
    {
      name: "name",
      head: words.name,
      cell: (view) => <Name view={view} />,
      card: "title",
      sort: "name",
    },
    may("money.read") && {
      name: "multiplier",
      head: words.multiplier,
      cell: ({ multiplier }) => words.multiplierOf(multiplier),
      sort: "multiplier",
      isRight: true,
      card: "aside",
    },
    {
      name: "channels",
      head: words.channels,
      cell: ({ channels }) => count(channels),
      isRight: true,
      hasHead: true,
    },
    {
      name: "requests",
      head: words.requests_per_minute,
      cell: (view) => limit(view.requests_per_minute),
      isRight: true,
      hasHead: true,
    },
    {
      name: "tokens",
      head: words.tokens_per_minute,
      cell: (view) => limit(view.tokens_per_minute),
      isRight: true,
      card: "hidden",
    },
    {
      name: "concurrency",
      head: words.concurrency,
      cell: (view) => limit(view.concurrency),
      isRight: true,
      card: "hidden",
    },
  ];
}

function Name({ view: { name, declared } }: { view: GroupView }) {
  return (
    <span class="row">
      {declared && <Icon name="lock" />}
      <span class="cut">{name}</span>
    </span>
  );
}
