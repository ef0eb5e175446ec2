// Nodes: which processes serve the gateway, whether they live, and what they were lent.
import type { NodeView } from "../../../src/admin/contract.ts";
import { may } from "../../core/session.ts";
import { pathOf, usePolled } from "../../core/control.ts";
import { lately } from "../../core/format.ts";
import { Amount } from "../../kit/rest/amount.tsx";
import { query } from "../../core/place.ts";
import { Badge, Dot, type Tone } from "../../kit/badge.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Card } from "../../kit/figures.tsx";
import { List } from "../../kit/rest/list.tsx";
import type { Column } from "../../kit/table.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { t } from "./words.ts";

const pageSize = 50;
const everyMs = 5000;
const tones: Record<NodeView["state"], Tone> = { live: "good", leaving: "warn", dead: "none" };

export function Page() {
  const ask = { query: { p: Number(query.value.get("p") ?? 1), page_size: pageSize } };
  const path = pathOf("GET /api/node", ask);
  const loaded = usePolled(everyMs, "GET /api/node", ask);
  const isAlone = loaded.data?.items.some(({ lease_until: until }) => until === null) ?? false;
  return (
    <Screen title={titleOf("nodes")}>
      <div class="bar">
        <span class="quiet wrap">{isAlone ? t().alone : t().text}</span>
        <span class="push">
          <CurlButton path={path} />
        </span>
      </div>
      <Card isFlush>
        <List
          label={titleOf("nodes")}
          loaded={loaded}
          columns={columnsOf()}
          idOf={({ id }) => id}
          empty={<Empty title={t().empty} text={t().text} />}
        />
      </Card>
    </Screen>
  );
}

function columnsOf(): (Column<NodeView> | false)[] {
  const words = t();
  const at = (seconds: number | null) => (seconds === null ? words.none : lately(seconds));
  return [
    { name: "name", head: words.name, cell: (view) => <Name view={view} />, card: "title" },
    {
      name: "state",
      head: words.state,
      cell: ({ state }) => <Dot tone={tones[state]}>{words.states[state]}</Dot>,
      card: "aside",
    },
    { name: "version", head: words.version, cell: ({ version }) => version, hasHead: true },
    {
      name: "started",
      head: words.started,
      cell: ({ started_at: seconds }) => at(seconds),
      hasHead: true,
    },
    {
      name: "lease",
      head: words.lease,
      cell: ({ lease_until: seconds }) => at(seconds),
      hasHead: true,
    },
    {
      name: "turn",
      head: words.turn,
      cell: ({ last_turn_at: seconds }) => at(seconds),
      card: "hidden",
    },
    may("money.read") && {
      name: "lent",
      head: words.lent,
      cell: ({ lent_micros: micros }) => <Amount micros={micros} />,
      isRight: true,
      hasHead: true,
    },
  ];
}

function Name({ view: { name, here: isHere } }: { view: NodeView }) {
  return (
    <span class="row">
      <span class="cut">{name}</span>
      {isHere && <Badge>{t().here}</Badge>}
    </span>
  );
}
