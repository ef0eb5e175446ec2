// A person's belongings, the newest of each: keys, entries of the ledger, the audit trail.
import type { UserView } from "../../../src/admin/contract.ts";
import { useAnswer } from "../../core/control.ts";
import { exactMoney, moment } from "../../core/format.ts";
import { Amount } from "../../kit/rest/amount.tsx";
import { may } from "../../core/session.ts";
import { addressOf } from "../../core/place.ts";
import { Dot } from "../../kit/badge.tsx";
import { LinkButton } from "../../kit/button.tsx";
import { Related } from "./parts.tsx";
import { t } from "./words.ts";

const shownMax = 20;

export function KeysOf({ view: { username } }: { view: UserView }) {
  const words = t();
  return (
    <Related
      title={words.keys}
      loaded={useAnswer("GET /api/token", { query: { account: username, page_size: shownMax } })}
      idOf={({ id }) => id}
      empty={words.noKeys}
      columns={[
        {
          name: "name",
          head: words.name,
          cell: ({ id, name }) => <a href={addressOf("keys", id)}>{name}</a>,
        },
        { name: "group", head: words.group, cell: ({ group }) => group },
        may("money.read") && {
          name: "spent",
          head: words.spent,
          cell: ({ used_micros: used }) => <Amount micros={used} />,
          isRight: true,
        },
        {
          name: "status",
          head: words.status,
          cell: ({ status }) => (
            <Dot tone={status === "enabled" ? "good" : "none"}>{words[status]}</Dot>
          ),
          card: "aside",
        },
      ]}
    />
  );
}

export function LedgerOf({ view: { username } }: { view: UserView }) {
  const words = t();
  const all = new URLSearchParams({ account: username });
  return (
    <Related
      title={words.ledger}
      loaded={useAnswer("GET /api/ledger", { query: { account: username, page_size: shownMax } })}
      idOf={({ id, kind }) => `${kind} ${id}`}
      empty={words.noEntries}
      tools={
        <LinkButton kind="plain" isSmall icon="arrow" href={`/console/ledger?${all}`}>
          {words.equation}
        </LinkButton>
      }
      columns={[
        {
          name: "what",
          head: words.modelOrReason,
          cell: ({ model, reason }) => model ?? reason ?? "–",
        },
        { name: "kind", head: words.kind, cell: ({ kind }) => words.entryKinds[kind] },
        {
          name: "at",
          head: words.at,
          cell: ({ at }) => <span title={moment(at, "full")}>{moment(at, "date")}</span>,
        },
        {
          name: "micros",
          head: words.amount,
          cell: ({ kind, micros }) =>
            exactMoney(kind === "grant" || micros === 0 ? micros : -micros),
          isRight: true,
          card: "aside",
        },
      ]}
    />
  );
}

export function TrailOf({ view: { id } }: { view: UserView }) {
  const words = t();
  const target = { target_kind: "user", target_id: id };
  return (
    <Related
      title={words.trail}
      loaded={useAnswer("GET /api/audit", { query: { ...target, page_size: shownMax } })}
      idOf={(entry) => entry.id}
      empty={words.noTrail}
      tools={
        <LinkButton
          kind="plain"
          isSmall
          icon="arrow"
          href={`/console/audit?${new URLSearchParams(target)}`}
        >
          {words.all}
        </LinkButton>
      }
      columns={[
        {
          name: "action",
          head: words.action,
          cell: ({ action }) => <span class="mono">{action}</span>,
        },
        { name: "actor", head: words.actor, cell: ({ actor }) => actor ?? "–" },
        {
          name: "at",
          head: words.at,
          cell: ({ at }) => <span title={moment(at, "full")}>{moment(at, "date")}</span>,
          card: "aside",
        },
      ]}
    />
  );
}
