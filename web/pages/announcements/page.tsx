// Announcements: what everyone who signs in reads above the page.
import type { AnnouncementView, Listed } from "../../../src/admin/contract.ts";
import { useState } from "preact/hooks";
import { call, refresh, useAction, useGet, withQuery } from "../../core/api.ts";
import { moment } from "../../core/format.ts";
import { isMaking, openId, pageId, query, setMaking } from "../../core/place.ts";
import { Badge, type Tone } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Confirm } from "../../kit/dialog.tsx";
import { Empty, NoMatch } from "../../kit/empty.tsx";
import { SearchBox } from "../../kit/filters.tsx";
import { Card } from "../../kit/figures.tsx";
import { Menu } from "../../kit/menu.tsx";
import { List, type Column } from "../../kit/table.tsx";
import { showToast } from "../../kit/toast.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { EditAnnouncement } from "./edit.tsx";
import { t } from "./words.ts";

export function Page() {
  const [ended, setEnded] = useState<AnnouncementView | null>(null);
  const [q, sort, p] = ["q", "sort", "p"].map((name) => query.value.get(name));
  const path = withQuery("/api/announcement", { all: "true", q, sort, p, page_size: 50 });
  const loaded = useGet<Listed<AnnouncementView>>(path);
  const changed = loaded.data?.items.find(({ id }) => id === pageId.value) ?? null;
  const make = (
    <Button kind="main" icon="plus" onClick={() => setMaking(true)}>
      {t().make}
    </Button>
  );
  return (
    <Screen title={titleOf("announcements")} tools={make}>
      <div class="bar">
        <SearchBox label={t().search} />
        <span class="push">
          <CurlButton path={path} />
        </span>
      </div>
      <Card isFlush>
        <List
          label={titleOf("announcements")}
          loaded={loaded}
          columns={columnsOf(setEnded)}
          idOf={({ id }) => id}
          openId={pageId.value}
          onOpen={({ id }) => openId(id)}
          empty={q ? <NoMatch /> : <Empty title={t().empty} text={t().emptyText} />}
        />
      </Card>
      {isMaking() && <EditAnnouncement view={null} onClose={() => setMaking(false)} />}
      {changed && <EditAnnouncement key={changed.id} view={changed} onClose={() => openId(null)} />}
      {ended && <RemoveAnnouncement view={ended} onClose={() => setEnded(null)} />}
    </Screen>
  );
}

function columnsOf(onRemove: (view: AnnouncementView) => void): Column<AnnouncementView>[] {
  const words = t();
  return [
    { name: "title", head: words.title, cell: ({ title }) => title, card: "title", sort: "title" },
    { name: "state", head: words.state, cell: (view) => <State view={view} />, card: "aside" },
    {
      name: "period",
      head: words.period,
      sort: "starts_at",
      cell: ({ starts_at: from, ends_at: to }) => (
        <span class="faint">
          {words.fromTo(
            from === null ? words.always : moment(from, "date"),
            to === null ? words.open : moment(to, "date"),
          )}
        </span>
      ),
    },
    {
      name: "text",
      head: words.text,
      cell: ({ text }) => <span class="cut faint">{text}</span>,
      card: "hidden",
    },
    {
      name: "actions",
      head: "",
      isRight: true,
      card: "aside",
      cell: (view) => (
        <Menu
          label={words.actions(view.title)}
          items={[
            { label: words.change, icon: "edit", run: () => openId(view.id) },
            { label: words.remove, icon: "trash", isDanger: true, run: () => onRemove(view) },
          ]}
        />
      ),
    },
  ];
}

function State({ view: { starts_at: from, ends_at: to } }: { view: AnnouncementView }) {
  const now = Date.now() / 1000;
  const words = t();
  const [tone, word]: [Tone, string] =
    to !== null && to <= now
      ? ["none", words.over]
      : from !== null && from > now
        ? ["accent", words.later]
        : ["good", words.shown];
  return <Badge tone={tone}>{word}</Badge>;
}

function RemoveAnnouncement({ view, onClose }: { view: AnnouncementView; onClose(): void }) {
  const remove = useAction(async () => {
    await call("DELETE", `/api/announcement/${encodeURIComponent(view.id)}`);
    refresh("/api/announcement");
    showToast(t().wasRemoved(view.title));
  });
  return (
    <Confirm
      title={t().removeTitle(view.title)}
      effect={t().removeEffect}
      submit={t().remove}
      action={remove}
      onClose={onClose}
    />
  );
}
