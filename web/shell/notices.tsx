// Announcements to everyone, until each is dismissed, as plain text: one line for all of them, the
// rest by a click.
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
        />
      ))}
    </>
  );
}

interface NoticeOptions {
  one: AnnouncementView;
  isOpen: boolean;
  /** Number of those that the line stands for besides; null below the first. */
  hidden: number | null;
  onTurn(): void;
}

function Notice({ one, isOpen, hidden, onTurn }: NoticeOptions) {
  const { line, isCut } = useCut();
  const words = t();
  const hasMore = isCut || isOpen || (hidden ?? 0) > 0;
  return (
    <div class={isWarning(one) ? "notice warn" : "notice"} role="note">
      <span ref={line} class={isOpen ? "wrap" : "cut"}>
        <span class="strong">{one.title}</span> {one.text}
      </span>
      {hidden !== null && hasMore && (
        <Button kind="plain" isSmall onClick={onTurn}>
          {isOpen ? words.less : hidden > 0 ? words.moreOf(hidden) : words.more}
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

function isWarning({ level }: AnnouncementView): boolean {
  return level === "warning";
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
