// Parts of an organisation that no other account has: members, projects and its budgets.
import type { BudgetView, MemberView, ProjectView, UserView } from "../../../src/admin/contract.ts";
import { useAnswer } from "../../core/control.ts";
import { count, money, moment } from "../../core/format.ts";
import { may } from "../../core/session.ts";
import { addressOf } from "../../core/place.ts";
import { Dot } from "../../kit/badge.tsx";
import { titleOf } from "../titles.ts";
import { Related } from "./parts.tsx";
import { t } from "./organisation-words.ts";

interface PartOptions {
  view: UserView;
}

export function MembersOf({ view: { id } }: PartOptions) {
  const words = t();
  return (
    <Related<MemberView>
      title={words.members}
      loaded={useAnswer("GET /api/user/{id}/members", { id })}
      idOf={(member) => member.id}
      empty={words.noMembers}
      columns={[
        {
          name: "name",
          head: words.username,
          cell: (member) => <a href={addressOf("people", member.id)}>{member.username}</a>,
        },
        { name: "role", head: words.role, cell: ({ role }) => words.seats[role] },
        { name: "project", head: words.project, cell: ({ project }) => project ?? "–" },
        { name: "keys", head: words.keys, cell: ({ keys }) => count(keys), isRight: true },
        { name: "status", head: words.status, cell: statusDot, card: "aside" },
      ]}
    />
  );
}

export function ProjectsOf({ view: { id } }: PartOptions) {
  const words = t();
  return (
    <Related<ProjectView>
      title={words.projects}
      loaded={useAnswer("GET /api/user/{id}/projects", { id })}
      idOf={(project) => project.id}
      empty={words.noProjects}
      columns={[
        { name: "name", head: words.name, cell: ({ name }) => name },
        { name: "created", head: words.created, cell: (one) => moment(one.created_at, "date") },
        { name: "status", head: words.status, cell: statusDot, card: "aside" },
      ]}
    />
  );
}

function statusDot({ status }: { status: "enabled" | "disabled" }) {
  return <Dot tone={status === "enabled" ? "good" : "none"}>{t()[status]}</Dot>;
}

const shownMax = 100;

export function BudgetsOf({ view: { username } }: PartOptions) {
  const words = t();
  const query = { account: username, page_size: shownMax };
  return (
    <Related<BudgetView>
      title={titleOf("budgets")}
      loaded={useAnswer("GET /api/budget", { query })}
      idOf={({ id }) => id}
      empty={words.noBudgets}
      columns={[
        {
          name: "name",
          head: words.name,
          cell: ({ id, name }) => <a href={addressOf("budgets", id)}>{name}</a>,
        },
        may("money.read") && {
          name: "spent",
          head: words.spent,
          cell: ({ now }) =>
            now ? `${money(now.spent_micros)} / ${money(now.limit_micros)}` : "–",
        },
      ]}
    />
  );
}
