// Models: what can be asked for, in which formats, and what it costs one's own group.
import type { ModelView } from "../../../src/admin/contract.ts";
import { pathOf, useAnswer } from "../../core/control.ts";
import { compact } from "../../core/format.ts";
import { addressOf } from "../../core/place.ts";
import { isAdmin, self, site } from "../../core/session.ts";
import { Badge } from "../../kit/badge.tsx";
import { CopyButton, LinkButton } from "../../kit/button.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ListPage, type ColumnOf, type Opened } from "../../shell/list-page.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { canTry, limitsOf, ModelDetail, Reach, tryAddress } from "./detail.tsx";
import { priceLine } from "./price.tsx";
import { t } from "./words.ts";

type ModelList = "GET /api/site/models" | "GET /api/model";

export function Page() {
  const words = t();
  const isVisitor = self.value === null;
  if (isVisitor && !site.value?.shows_models) return <Hidden />;
  const at = isVisitor ? "GET /api/site/models" : "GET /api/model";
  return (
    <ListPage
      name="models"
      at={at}
      words={words}
      filters={[
        { name: "q", label: words.search },
        { name: "kind", label: words.kind, all: words.anyKind, choices: words.kinds },
      ]}
      columns={columns()}
      open={(opened) => <Open key={opened.id} at={at} {...opened} />}
      offer={isAdmin() && <LinkButton href={addressOf("channels")}>{words.addChannel}</LinkButton>}
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

/** A link may lead to one that is on another page of the list. */
function Open({ at, id, row, isLoaded, ...steps }: Opened<ModelView> & { at: ModelList }) {
  const isElsewhere = isLoaded && !row;
  const { data } = useAnswer(isElsewhere ? at : null, { query: { q: id } });
  const view = row ?? data?.items.find((one) => one.id === id);
  return view ? (
    <ModelDetail view={view} path={pathOf(at, { query: { q: id } })} {...steps} />
  ) : null;
}

function columns(): ColumnOf<ModelList>[] {
  const words = t();
  return [
    { name: "id", head: words.model, cell: (view) => <span class="cut">{view.id}</span> },
    { name: "kind", head: words.kind, card: "aside", cell: ({ kind }) => words.kinds[kind] },
    { name: "formats", head: words.formats, card: "hidden", cell: Formats },
    { name: "limits", head: words.limits, isRight: true, card: "hidden", cell: limitsCell },
    { name: "price", head: words.price, isRight: true, cell: priceLine },
    { name: "state", head: words.state, card: "hidden", cell: (view) => <Reach view={view} /> },
    { name: "do", head: "", isRight: true, card: "hidden", cell: (view) => <Do view={view} /> },
  ];
}

function limitsCell({ input_tokens_max: input, output_tokens_max: output }: ModelView): string {
  if (input === 0) return "–";
  return limitsOf(compact(input), output > 0 ? compact(output) : null);
}

const formatsMax = 3;

function Formats({ endpoints }: ModelView) {
  const rest = endpoints.length - formatsMax;
  return (
    <span class="row" title={endpoints.join(", ")}>
      {endpoints.slice(0, formatsMax).map((one) => (
        <Badge key={one}>{one}</Badge>
      ))}
      {rest > 0 && <span class="faint">{`+${rest}`}</span>}
    </span>
  );
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
