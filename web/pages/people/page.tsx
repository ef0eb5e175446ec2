// People: every account, who it is, what it may do, and what it has left.
import type { RoleView } from "../../../src/admin/contract.ts";
import { lately, moment } from "../../core/format.ts";
import { Amount } from "../../kit/rest/amount.tsx";
import { useRoles } from "../../core/lists/roles.ts";
import { addressOf } from "../../core/place.ts";
import { may } from "../../core/session.ts";
import { LinkButton } from "../../kit/button.tsx";
import { roleName } from "../../kit/page-words.ts";
import { ListPage, type ColumnOf } from "../../shell/list-page.tsx";
import { PersonDetail } from "./detail.tsx";
import { MakePerson } from "./edit.tsx";
import { PersonState, RoleBadge } from "./parts.tsx";
import { t } from "./words.ts";

export function Page() {
  const words = t();
  const { enabled, disabled } = words;
  return (
    <ListPage
      name="people"
      at="GET /api/user"
      words={{ ...words, empty: words.noMatch }}
      filters={[
        { name: "q", label: words.search },
        {
          name: "kind",
          label: words.kind,
          all: words.anyKind,
          choices: { person: words.kinds.person, organisation: words.kinds.organisation },
        },
        { name: "role", label: words.role, all: words.anyRole, choices: rolesOf(useRoles()) },
        {
          name: "status",
          label: words.status,
          all: words.anyStatus,
          choices: { enabled, disabled },
        },
        { name: "group", label: words.group, isLinked: "chip" },
      ]}
      columns={columns()}
      open={(opened) => <PersonDetail key={opened.id} {...opened} />}
      tools={() =>
        may("people.write") && (
          <LinkButton isSmall icon="codes" href={`${addressOf("codes")}?new=1`}>
            {words.invite}
          </LinkButton>
        )
      }
      make={{
        label: words.make,
        needs: "people.write",
        form: (onClose) => <MakePerson onClose={onClose} />,
      }}
    />
  );
}

function rolesOf(roles: readonly RoleView[]): Record<string, string> {
  return Object.fromEntries(roles.map(({ name }) => [name, roleName(name)]));
}

function columns(): (ColumnOf<"GET /api/user"> | false)[] {
  const words = t();
  return [
    {
      name: "name",
      head: words.username,
      cell: ({ username }) => username,
      card: "title",
      sort: "username",
    },
    { name: "role", head: words.role, cell: (view) => <RoleBadge view={view} /> },
    { name: "group", head: words.group, cell: ({ group }) => group, card: "hidden" },
    may("money.read") && {
      name: "available",
      head: words.available,
      cell: ({ quota_micros: left }) =>
        left === null ? <span class="faint">{words.unlimited}</span> : <Amount micros={left} />,
      isRight: true,
      sort: "quota_micros",
    },
    may("money.read") && {
      name: "spent",
      head: words.spent,
      cell: ({ used_micros: used }) => <Amount micros={used} />,
      isRight: true,
      sort: "used_micros",
      card: "hidden",
    },
    {
      name: "status",
      head: words.status,
      cell: ({ status }) => <PersonState status={status} />,
      card: "aside",
    },
    {
      name: "last",
      head: words.lastUsed,
      cell: ({ last_used_at: at }) =>
        at === null ? (
          <span class="faint">–</span>
        ) : (
          <span title={moment(at, "full")}>{lately(at)}</span>
        ),
      card: "hidden",
    },
    {
      name: "created",
      head: words.created,
      cell: ({ created_at: at }) => <span title={moment(at, "full")}>{moment(at, "date")}</span>,
      sort: "created_at",
      card: "hidden",
      yields: "late",
    },
  ];
}
