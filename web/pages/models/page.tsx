// Models: what can be asked for, in which formats, and what it costs one's own group.
import type { Listed, ModelView } from "../../../src/admin/contract.ts";
import { useGet, withQuery } from "../../core/api.ts";
import { compact } from "../../core/format.ts";
import { addressOf, openId, pageId, query, setQuery } from "../../core/place.ts";
import { isAdmin, self, site } from "../../core/session.ts";
import { Badge } from "../../kit/badge.tsx";
import { CopyButton, LinkButton } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { ClearFilters, Empty } from "../../kit/empty.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { SearchBox } from "../../kit/filters.tsx";
import { Card } from "../../kit/figures.tsx";
import { List, type Column } from "../../kit/table.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { canTry, limitsOf, ModelDetail, Reach, tryAddress } from "./detail.tsx";
import { priceLine } from "./price.tsx";
import { t } from "./words.ts";

const pageSize = 50;

export function Page() {
  const isVisitor = self.value === null;
  if (isVisitor && !site.value?.shows_models) return <Hidden />;
  return <Models base={isVisitor ? "/api/site/models" : "/api/model"} />;
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

function Models({ base }: { base: string }) {
  const [q, kind, p] = ["q", "kind", "p"].map((name) => query.value.get(name));
  const path = withQuery(base, { q, kind, p, page_size: pageSize });
  const loaded = useGet<Listed<ModelView>>(path);
  const items = loaded.data?.items ?? [];
  const at = items.findIndex(({ id }) => id === pageId.value);
  // A link may lead to one that is on another page of the list.
  const isElsewhere = loaded.data !== null && at === -1 && pageId.value !== null;
  const unlisted = useGet<Listed<ModelView>>(
    isElsewhere ? withQuery(base, { q: pageId.value, page_size: pageSize }) : null,
  );
  const walk = (by: number) => {
    const next = items[at + by];
    return at >= 0 && next ? () => openId(next.id) : undefined;
  };
  const open = items[at] ?? unlisted.data?.items.find(({ id }) => id === pageId.value) ?? null;
  return (
    <Screen title={titleOf("models")}>
      <Filters path={path} />
      <Card isFlush>
        <List
          label={titleOf("models")}
          loaded={loaded}
          columns={columns()}
          idOf={({ id }) => id}
          onOpen={({ id }) => openId(id)}
          openId={pageId.value}
          empty={<Nothing isFiltered={Boolean(q || kind)} />}
        />
      </Card>
      {open && <ModelDetail view={open} {...{ path, onPrevious: walk(-1), onNext: walk(1) }} />}
    </Screen>
  );
}

function Filters({ path }: { path: string }) {
  const words = t();
  const kinds = ["text", "embedding", "image", "video"] as const;
  const chosen = kinds.find((one) => one === query.value.get("kind")) ?? "";
  return (
    <div class="bar">
      <SearchBox label={words.search} />
      <FilterSelect<"" | (typeof kinds)[number]>
        label={words.kind}
        value={chosen}
        options={[["", words.anyKind], ...kinds.map((one) => [one, words.kinds[one]] as const)]}
        onChange={(kind) => setQuery({ kind, p: null })}
      />
      <span class="push">
        <CurlButton path={path} />
      </span>
    </div>
  );
}

function columns(): Column<ModelView>[] {
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

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const words = t();
  if (isFiltered) {
    return (
      <Empty title={words.noMatch} text={words.noMatchText}>
        <ClearFilters onClick={() => setQuery({ q: null, kind: null })} />
      </Empty>
    );
  }
  return (
    <Empty title={words.empty} text={words.emptyText}>
      {isAdmin() && <LinkButton href={addressOf("channels")}>{words.addChannel}</LinkButton>}
    </Empty>
  );
}
