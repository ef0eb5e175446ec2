// Announcements: what everyone who signs in reads above the page.
import { useState } from "preact/hooks";
import type { AnnouncementView } from "../../../src/admin/contract.ts";
import { may } from "../../core/session.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { moment } from "../../core/format.ts";
import { openId } from "../../core/place.ts";
import { Badge, type Tone } from "../../kit/badge.tsx";
import { Confirm } from "../../kit/dialog.tsx";
import { Menu } from "../../kit/menu.tsx";
import { showToast } from "../../kit/toast.tsx";
import { ListPage, type ColumnOf, type Opened } from "../../shell/list-page.tsx";
import { EditAnnouncement } from "./edit.tsx";
import { t } from "./words.ts";

export function Page() {
  const words = t();
  const [ended, setEnded] = useState<AnnouncementView | null>(null);
  return (
    <ListPage
      name="announcements"
      at="GET /api/announcement"
      always={{ all: true }}
      words={words}
      filters={[{ name: "q", label: words.search }]}
      columns={columnsOf(setEnded)}
      {...(may("site.write") && { open: changeOpened })}
      make={{
        label: words.make,
        needs: "site.write",
        form: (onClose) => <EditAnnouncement view={null} onClose={onClose} />,
      }}
    >
      {ended && <RemoveAnnouncement view={ended} onClose={() => setEnded(null)} />}
    </ListPage>
  );
}

function changeOpened({ id, row }: Opened<AnnouncementView>) {
  return row && <EditAnnouncement key={id} view={row} onClose={() => openId(null)} />;
}

function columnsOf(
  onRemove: (view: AnnouncementView) => void,
): (ColumnOf<"GET /api/announcement"> | false)[] {
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
    may("site.write") && {
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
    await send("DELETE /api/announcement/{id}", { id: view.id });
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
