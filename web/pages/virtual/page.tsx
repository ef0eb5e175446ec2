// Virtual models: names that stand for several models.
import type { VirtualModelView } from "../../../src/admin/contract.ts";
import { percent } from "../../core/format.ts";
import { Icon } from "../../kit/icon.tsx";
import { ListPage, type ColumnOf } from "../../shell/list-page.tsx";
import { VirtualDetail } from "./detail.tsx";
import { EditVirtual } from "./edit.tsx";
import { drawnOf } from "./members.ts";
import { t } from "./words.ts";

export function Page() {
  const words = t();
  return (
    <ListPage
      name="virtual"
      at="GET /api/virtual-model"
      words={words}
      filters={[{ name: "q", label: words.search }]}
      columns={columnsOf()}
      idOf={({ name }) => name}
      open={({ id, row, ...steps }) => row && <VirtualDetail key={id} view={row} {...steps} />}
      make={{
        label: words.make,
        needs: "channels.write",
        form: (onClose) => <EditVirtual view={null} onClose={onClose} />,
      }}
      above={<p class="quiet wrap">{words.emptyText}</p>}
    />
  );
}

function columnsOf(): ColumnOf<"GET /api/virtual-model">[] {
  const words = t();
  return [
    { name: "name", head: words.name, cell: (view) => <Name view={view} />, card: "title" },
    { name: "members", head: words.members, cell: membersOf, card: "line" },
    { name: "price", head: words.price, cell: ({ price }) => words.prices[price], card: "hidden" },
    {
      name: "groups",
      head: words.groups,
      cell: ({ groups }) => groups?.join(", ") ?? words.everyGroup,
      card: "hidden",
    },
  ];
}

/** A chain by its arrows; a weighted set by the shares of those that may be the first. */
function membersOf({ members }: VirtualModelView): string {
  const { drawn, others } = drawnOf(members);
  const first = drawn.map(({ member, part }) =>
    drawn.length === 1 ? member.model : `${member.model} ${percent(part, 1)}`,
  );
  const rest = others.map(({ model }) => model);
  return [...(first.length > 0 ? [first.join(" · ")] : []), ...rest].join(" → ");
}

function Name({ view: { name, declared } }: { view: VirtualModelView }) {
  return (
    <span class="row">
      {declared && <Icon name="lock" />}
      <span class="cut">{name}</span>
    </span>
  );
}
