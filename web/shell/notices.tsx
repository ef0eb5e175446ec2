// Announcements to everyone, until each is dismissed: one line for all, the rest by a click.
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { AnnouncementView } from "../../src/admin/contract.ts";
import { usePolled } from "../core/control.ts";
import { keep, keptText } from "../core/kept.ts";
import { self } from "../core/session.ts";
import { later } from "../kit/later.tsx";

/** Most visits have none to show. */
const Notice = later(async () => (await import("./notice.tsx")).Notice);

const everyMs = 300_000;
const dismissedMax = 50;
const dismissed = signal<readonly string[]>((keptText("dismissed") ?? "").split(" "));

export function Notices() {
  const [isOpen, setOpen] = useState(false);
  const at = self.value ? "GET /api/announcement" : "GET /api/announcement/open";
  const { data } = usePolled(everyMs, at);
  // Visitors get the few that are for them as they are, without pages.
  const all = Array.isArray(data) ? data : (data?.items ?? []);
  const told = all
    .filter((one) => !dismissed.value.includes(markOf(one)))
    .sort((one, other) => Number(isWarning(other)) - Number(isWarning(one)));
  const shown = isOpen ? told : told.slice(0, 1);
  return (
    <>
      {shown.map((one, index) => (
        <Notice
          key={one.id}
          {...{ one, isOpen }}
          hidden={index === 0 ? told.length - 1 : null}
          onTurn={() => setOpen(!isOpen)}
          onDismiss={() => dismiss(one)}
        />
      ))}
    </>
  );
}

function isWarning({ level }: AnnouncementView): boolean {
  return level === "warning";
}

/** One that was changed is told again. */
function markOf({ id, updated_at }: AnnouncementView): string {
  return `${id}.${updated_at}`;
}

function dismiss(one: AnnouncementView): void {
  dismissed.value = [...dismissed.value, markOf(one)].slice(-dismissedMax);
  keep("dismissed", dismissed.value.join(" "));
}
