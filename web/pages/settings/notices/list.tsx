// Notices, the newest first: what needed a person, whether it lasts, and whom it was sent to.
import type { NoticeView } from "../../../../src/admin/contract.ts";
import { moment } from "../../../core/format.ts";
import { addressOf } from "../../../core/place.ts";
import { Badge, Dot, type Tone } from "../../../kit/badge.tsx";
import { LinkButton } from "../../../kit/button.tsx";
import { ListView, type ColumnOf } from "../../../shell/list-page.tsx";
import { Screen } from "../../../shell/screen.tsx";
import { titleOf } from "../../titles.ts";
import { sectionTitle } from "../labels/words.ts";
import { t as settingWords } from "../words.ts";
import { t } from "./words.ts";

const everyMs = 30_000;

export function Notices() {
  const back = (
    <LinkButton icon="settings" href={addressOf("settings")}>
      {titleOf("settings")}
    </LinkButton>
  );
  return (
    <Screen title={sectionTitle("notices")} tools={back}>
      <ListView
        at="GET /api/notice"
        label={sectionTitle("notices")}
        words={t()}
        columns={columns()}
        everyMs={everyMs}
      />
    </Screen>
  );
}

function columns(): ColumnOf<"GET /api/notice">[] {
  const words = t();
  return [
    {
      name: "at",
      head: words.at,
      cell: ({ at }) => <span class="number">{moment(at, "full")}</span>,
      card: "aside",
    },
    { name: "kind", head: words.kind, cell: ({ kind }) => kindText(kind), card: "title" },
    {
      name: "text",
      head: words.text,
      cell: ({ text }) => <span class="wrap notice-text">{text}</span>,
      card: "line",
    },
    { name: "state", head: words.state, cell: (notice) => <State notice={notice} />, card: "line" },
    {
      name: "deliveries",
      head: words.sentTo,
      cell: ({ deliveries }) => <Deliveries deliveries={deliveries} />,
      card: "line",
      hasHead: true,
    },
  ];
}

/** One that came later than the words is shown as it is. */
function kindText(kind: string): string {
  const texts: Readonly<Record<string, string>> = settingWords().choices;
  return texts[kind] ?? kind;
}

function State({ notice: { ended_at: endedAt } }: { notice: NoticeView }) {
  if (endedAt === null) return <Badge tone="warn">{t().lasts}</Badge>;
  return <span class="faint">{t().endedAt(moment(endedAt, "full"))}</span>;
}

type Delivery = NoticeView["deliveries"][number];

function Deliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  const words = t();
  if (deliveries.length === 0) return <span class="faint">{words.none}</span>;
  return (
    <div class="stack">
      {deliveries.map((delivery) => (
        <div key={delivery.destination}>
          <Dot tone={toneOf(delivery)}>
            {delivery.destination || words.ownAddress}: {fateOf(delivery)}
          </Dot>
          {delivery.error !== null && <p class="faint wrap">{delivery.error}</p>}
        </div>
      ))}
    </div>
  );
}

function toneOf({ delivered_at: arrivedAt, next_attempt_at: nextAt }: Delivery): Tone {
  if (arrivedAt !== null) return "good";
  return nextAt === null ? "bad" : "warn";
}

function fateOf({ delivered_at: arrivedAt, next_attempt_at: nextAt }: Delivery): string {
  const words = t();
  if (arrivedAt !== null) return words.arrivedAt(moment(arrivedAt, "full"));
  return nextAt === null ? words.lost : words.pendingUntil(moment(nextAt, "full"));
}
