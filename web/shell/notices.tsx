// Announcements to everyone, until each is dismissed, as plain text.
import { signal } from "@preact/signals";
import type { AnnouncementView } from "../../src/admin/contract.ts";
import { usePolled } from "../core/control.ts";
import { keep, keptText } from "../core/kept.ts";
import { self } from "../core/session.ts";
import { Button } from "../kit/button.tsx";
import { t } from "./words.ts";

const everyMs = 300_000;
const dismissedMax = 50;
const dismissed = signal<readonly string[]>((keptText("dismissed") ?? "").split(" "));

export function Notices() {
  const at = self.value ? "GET /api/announcement" : "GET /api/announcement/open";
  const { data } = usePolled(everyMs, at);
  // Visitors get the few that are for them as they are, without pages.
  const all = Array.isArray(data) ? data : (data?.items ?? []);
  const shown = all.filter((one) => !dismissed.value.includes(markOf(one)));
  return (
    <>
      {shown.map((one) => (
        <div key={one.id} class="notice" role="note">
          <span class="wrap">
            <span class="strong">{one.title}</span> <span class="quiet">{one.text}</span>
          </span>
          <span class="push">
            <Button
              kind="plain"
              isSmall
              icon="close"
              label={t().dismiss}
              onClick={() => dismiss(one)}
            />
          </span>
        </div>
      ))}
    </>
  );
}

/** One that was changed is told again. */
function markOf({ id, updated_at }: AnnouncementView): string {
  return `${id}.${updated_at}`;
}

function dismiss(one: AnnouncementView): void {
  dismissed.value = [...dismissed.value, markOf(one)].slice(-dismissedMax);
  keep("dismissed", dismissed.value.join(" "));
}
