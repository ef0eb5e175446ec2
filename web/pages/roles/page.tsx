// Roles: what people may do beyond their own account, those that come with the gateway and others.
import { count } from "../../core/format.ts";
import { ListPage, type ColumnOf } from "../../shell/list-page.tsx";
import { Badge } from "../../kit/badge.tsx";
import { RoleDetail } from "./detail.tsx";
import { EditRole } from "./edit.tsx";
import { aboutOf } from "./parts.tsx";
import { t } from "./words.ts";

export function Page() {
  const words = t();
  return (
    <ListPage
      name="roles"
      at="GET /api/role"
      words={words}
      columns={columns()}
      filters={[{ name: "q", label: words.search }]}
      idOf={({ name }) => name}
      open={({ id, row, ...steps }) => row && <RoleDetail key={id} view={row} {...steps} />}
      make={{
        label: words.make,
        needs: "roles.write",
        form: (onClose) => <EditRole view={null} onClose={onClose} />,
      }}
      above={<p class="quiet wrap">{words.intro}</p>}
    />
  );
}

function columns(): ColumnOf<"GET /api/role">[] {
  const words = t();
  return [
    { name: "name", head: words.name, cell: ({ name }) => name, card: "title" },
    {
      name: "about",
      head: words.description,
      cell: (view) => <span class="quiet wrap">{aboutOf(view)}</span>,
      card: "line",
    },
    {
      name: "permissions",
      head: words.permissionCount,
      cell: ({ permissions }) => count(permissions.length),
      isRight: true,
      hasHead: true,
    },
    {
      name: "people",
      head: words.areas.people,
      cell: ({ people }) => count(people),
      isRight: true,
      hasHead: true,
    },
    {
      name: "kind",
      head: words.kind,
      cell: ({ built_in: isBuiltIn }) => (
        <Badge tone={isBuiltIn ? "none" : "accent"}>
          {isBuiltIn ? words.builtIn : words.custom}
        </Badge>
      ),
      card: "aside",
    },
  ];
}
