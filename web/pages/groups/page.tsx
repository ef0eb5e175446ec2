// Groups: which channels their keys reach, at what multiplier and limits, and who is in them.
import type { ChannelView, GroupView, Listed } from "../../../src/admin/contract.ts";
import { useGet, withQuery } from "../../core/api.ts";
import { count } from "../../core/format.ts";
import { isMaking, openId, pageId, query, setMaking } from "../../core/place.ts";
import { Button } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Empty, NoMatch } from "../../kit/empty.tsx";
import { SearchBox } from "../../kit/filters.tsx";
import { Card } from "../../kit/figures.tsx";
import { Icon } from "../../kit/icon.tsx";
import { List, type Column } from "../../kit/table.tsx";
import { titleOf } from "../titles.ts";
import { Screen } from "../../shell/screen.tsx";
import { GroupDetail } from "./detail.tsx";
import { EditGroup } from "./edit.tsx";
import { t } from "./words.ts";

const pageSize = 50;

export function Page() {
  const [q, sort, p] = ["q", "sort", "p"].map((name) => query.value.get(name));
  const path = withQuery("/api/group", { q, sort, p, page_size: pageSize });
  const loaded = useGet<Listed<GroupView>>(path);
  const { data: channels } = useGet<Listed<ChannelView>>("/api/channel?page_size=100");
  const items = loaded.data?.items ?? [];
  const at = items.findIndex(({ name }) => name === pageId.value);
  const step = (by: number) => {
    const to = at === -1 ? undefined : items[at + by];
    return to && (() => openId(to.name));
  };
  const make = (
    <Button kind="main" icon="plus" onClick={() => setMaking(true)}>
      {t().make}
    </Button>
  );
  return (
    <Screen title={titleOf("groups")} tools={make}>
      <div class="bar">
        <SearchBox label={t().search} />
        <span class="quiet wrap">{t().emptyText}</span>
        <span class="push">
          <CurlButton path={path} />
        </span>
      </div>
      <Card isFlush>
        <List
          label={titleOf("groups")}
          loaded={loaded}
          columns={columnsOf(channels?.items ?? null)}
          idOf={({ name }) => name}
          openId={pageId.value}
          onOpen={({ name }) => openId(name)}
          empty={q ? <NoMatch /> : <Empty title={t().empty} text={t().emptyText} />}
        />
      </Card>
      {items[at] && (
        <GroupDetail key={items[at].name} view={items[at]} onPrevious={step(-1)} onNext={step(1)} />
      )}
      {isMaking() && <EditGroup view={null} onClose={() => setMaking(false)} />}
    </Screen>
  );
}

function columnsOf(channels: readonly ChannelView[] | null): Column<GroupView>[] {
  const words = t();
  const limit = (value: number | null) =>
    value === null ? <span class="faint">{words.noLimit}</span> : count(value);
  return [
    {
      name: "name",
      head: words.name,
      cell: (view) => <Name view={view} />,
      card: "title",
      sort: "name",
    },
    {
      name: "multiplier",
      head: words.multiplier,
      cell: ({ multiplier }) => words.multiplierOf(multiplier),
      sort: "multiplier",
      isRight: true,
      card: "aside",
    },
    {
      name: "channels",
      head: words.channels,
      cell: ({ name }) => {
        const serving = channels?.filter(({ groups }) => groups.includes(name));
        return serving ? count(serving.length) : "–";
      },
      isRight: true,
      hasHead: true,
    },
    {
      name: "requests",
      head: words.requests,
      cell: (view) => limit(view.requests_per_minute),
      isRight: true,
      hasHead: true,
    },
    {
      name: "tokens",
      head: words.tokens,
      cell: (view) => limit(view.tokens_per_minute),
      isRight: true,
      card: "hidden",
    },
    {
      name: "concurrency",
      head: words.concurrency,
      cell: (view) => limit(view.concurrency),
      isRight: true,
      card: "hidden",
    },
  ];
}

function Name({ view: { name, declared } }: { view: GroupView }) {
  return (
    <span class="row">
      {declared && <Icon name="lock" />}
      <span class="cut">{name}</span>
    </span>
  );
}
