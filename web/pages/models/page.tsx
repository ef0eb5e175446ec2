// Models: what can be asked for, in which formats, and what it costs one's own group.
import type { ModelView } from "../../../src/admin/contract.ts";
import { useAnswer, type Answer } from "../../core/control.ts";
import { compact, millis, percent } from "../../core/format.ts";
import { addressOf, pageId } from "../../core/place.ts";
import { healthAt, may, self, site } from "../../core/session.ts";
import { CopyButton, LinkButton } from "../../kit/button.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ListPage, type ColumnOf } from "../../shell/list-page.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { canTry, limitsOf, ModelPage, Reach, tryAddress, type ModelList } from "./one.tsx";
import { priceLine } from "./price.tsx";
import { t } from "./words.ts";

export function Page() {
  const words = t();
  const isVisitor = self.value === null;
  const health = useHealth();
  if (isVisitor && !site.value?.shows_models) return <Hidden />;
  const at = isVisitor ? "GET /api/site/models" : "GET /api/model";
  if (pageId.value !== null) return <ModelPage key={pageId.value} at={at} id={pageId.value} />;
  return (
    <ListPage
      name="models"
      at={at}
      words={words}
      filters={[
        { name: "q", label: words.search },
        { name: "kind", label: words.kind, all: words.anyKind, choices: words.kinds },
      ]}
      columns={columns(health)}
      open={() => null}
      offer={
        may("channels.write") && (
          <LinkButton href={addressOf("channels")}>{words.addChannel}</LinkButton>
        )
      }
    />
  );
}

function Hidden() {
  return (
    <Screen title={titleOf("models")}>
      <Empty title={t().hidden}>
        <LinkButton kind="main" href="/">
          {t().signIn}
        </LinkButton>
      </Empty>
    </Screen>
  );
}

type Health = Answer<"GET /api/health/models">["items"][number];

/** The last days of each model by its name; null where that is not for this person. */
function useHealth(): ReadonlyMap<string, Health> | null {
  const at = healthAt();
  const { data } = useAnswer(at);
  return at && new Map(data?.items.map((one) => [one.model, one]));
}

function columns(health: ReadonlyMap<string, Health> | null): ColumnOf<ModelList>[] {
  const words = t();
  const read = (show: (one: Health) => string) => (view: ModelView) => {
    const found = health?.get(view.id);
    return found ? show(found) : "–";
  };
  const right = { isRight: true, card: "hidden" } as const;
  return [
    { name: "id", head: words.model, cell: (view) => <span class="cut">{view.id}</span> },
    { name: "kind", head: words.kind, card: "aside", cell: ({ kind }) => words.kinds[kind] },
    { name: "formats", head: words.formats, card: "hidden", cell: Formats, yields: "soon" },
    {
      name: "limits",
      head: words.limits,
      isRight: true,
      card: "hidden",
      cell: limitsCell,
      yields: "late",
    },
    {
      name: "price",
      head: words.price,
      isRight: true,
      cell: (view) => <span class="number">{priceLine(view)}</span>,
    },
    ...(health
      ? [
          {
            name: "uptime",
            head: words.uptime,
            ...right,
            cell: read(({ success }) => percent(success, 1, 2)),
          },
          {
            name: "first",
            head: words.firstByte,
            ...right,
            cell: read(({ first_byte_ms: ms }) => millis(ms)),
          },
        ]
      : []),
    { name: "state", head: words.state, card: "hidden", cell: (view) => <Reach view={view} /> },
    { name: "do", head: "", isRight: true, card: "hidden", cell: (view) => <Do view={view} /> },
  ];
}

function limitsCell({ input_tokens_max: input, output_tokens_max: output }: ModelView): string {
  if (input === 0) return "–";
  return limitsOf(compact(input), output > 0 ? compact(output) : null);
}

/** Words that end with a sign where they are cut, which badges do not. */
function Formats({ endpoints }: ModelView) {
  const text = endpoints.join(", ");
  return <span title={text}>{text}</span>;
}

function Do({ view }: { view: ModelView }) {
  return (
    <span class="row ends">
      {canTry(view) && (
        <LinkButton
          kind="plain"
          isSmall
          icon="playground"
          label={t().tryOne(view.id)}
          href={tryAddress(view)}
        />
      )}
      <CopyButton text={view.id} label={t().copyId(view.id)} />
    </span>
  );
}
