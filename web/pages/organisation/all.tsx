// All organisations of the gateway, for those who run it: each leads to its account.
import { count, exactMoney, moment } from "../../core/format.ts";
import { addressOf } from "../../core/place.ts";
import { may } from "../../core/session.ts";
import { Dot } from "../../kit/badge.tsx";
import { ListView, type ColumnOf } from "../../shell/list-page.tsx";
import { titleOf } from "../titles.ts";
import { t } from "./words.ts";

export function AllOrganisations() {
  const words = t();
  return (
    <ListView
      at="GET /api/user"
      always={{ kind: "organisation" }}
      label={words.allOrganisations}
      words={{ empty: words.noOrganisations, emptyText: words.noneText }}
      filters={[{ name: "q", label: words.search }]}
      columns={columns()}
    />
  );
}

function columns(): (ColumnOf<"GET /api/user"> | false)[] {
  const words = t();
  return [
    {
      name: "name",
      head: words.name,
      cell: ({ id, username }) => <a href={`${addressOf("people", id)}?tab=members`}>{username}</a>,
      card: "title",
      sort: "username",
    },
    {
      name: "members",
      head: words.members,
      cell: ({ members }) => count(members ?? 0),
      isRight: true,
    },
    {
      name: "projects",
      head: words.tabs.projects,
      cell: ({ projects }) => count(projects ?? 0),
      isRight: true,
    },
    may("money.read") && {
      name: "available",
      head: words.available,
      cell: ({ quota_micros: left }) => (left === null ? words.noLimit : exactMoney(left)),
      isRight: true,
      sort: "quota_micros",
    },
    may("money.read") && {
      name: "spent",
      head: words.spent,
      cell: ({ used_micros: used }) => exactMoney(used),
      isRight: true,
      sort: "used_micros",
      card: "hidden",
    },
    may("budgets.read") && {
      name: "budgets",
      head: titleOf("budgets"),
      cell: ({ id }) => <a href={`${addressOf("people", id)}?tab=budgets`}>{words.show}</a>,
      card: "hidden",
    },
    {
      name: "status",
      head: words.status,
      cell: ({ status }) => (
        <Dot tone={status === "enabled" ? "good" : "none"}>
          {status === "enabled" ? words.enabled : words.disabled}
        </Dot>
      ),
      card: "aside",
    },
    {
      name: "created",
      head: words.created,
      cell: ({ created_at: at }) => moment(at, "date"),
      sort: "created_at",
      card: "hidden",
    },
  ];
}
