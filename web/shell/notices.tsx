// Announcements to everyone, until each is dismissed, as plain text: one line, the rest by a click.
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
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
        <Notice key={one.id} one={one} />
      ))}
    </>
  );
}

function Notice({ one }: { one: AnnouncementView }) {
  const [isOpen, setIsOpen] = useState(false);
  const { line, isCut } = useCut();
  const words = t();
  return (
    <div class={one.level === "warning" ? "notice warn" : "notice"} role="note">
      <span ref={line} class={isOpen ? "wrap" : "cut"}>
        <span class="strong">{one.title}</span> {one.text}
      </span>
      {(isCut || isOpen) && (
        <Button kind="plain" isSmall onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? words.less : words.more}
        </Button>
      )}
      <Button
        kind="plain"
        isSmall
        icon="close"
        label={words.dismiss}
        onClick={() => dismiss(one)}
      />
    </div>
  );
}

/** Whether a line has more to say than there is room for. */
function useCut() {
  const line = useRef<HTMLSpanElement>(null);
  const [isCut, setIsCut] = useState(false);
  useLayoutEffect(() => {
    const { current } = line;
    if (!current) return;
    const watch = new ResizeObserver(() => setIsCut(current.scrollWidth > current.clientWidth));
    watch.observe(current);
    return () => watch.disconnect();
  }, []);
  return { line, isCut };
}

/** One that was changed is told again. */
function markOf({ id, updated_at }: AnnouncementView): string {
  return `${id}.${updated_at}`;
}

function dismiss(one: AnnouncementView): void {
  dismissed.value = [...dismissed.value, markOf(one)].slice(-dismissedMax);
  keep("dismissed", dismissed.value.join(" "));
}
