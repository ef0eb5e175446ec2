// One announcement: a line while it is closed, and its Markdown as elements when it is open.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AnnouncementView } from "../../src/admin/contract.ts";
import { Button } from "../kit/button.tsx";
import { isMarked, Told } from "../kit/markdown/told.tsx";
import { t } from "./later-words.ts";

interface NoticeOptions {
  one: AnnouncementView;
  isOpen: boolean;
  /** Number of those that the line stands for besides; null below the first. */
  hidden: number | null;
  onTurn(): void;
  onDismiss(): void;
}

export function Notice({ one, isOpen, hidden, onTurn, onDismiss }: NoticeOptions) {
  const { line, isCut } = useCut();
  const words = t();
  const hasMore = isCut || isOpen || isMarked(one.text) || (hidden ?? 0) > 0;
  return (
    <div class={one.level === "warning" ? "notice warn" : "notice"} role="note">
      <div ref={line} class={isOpen ? "wrap" : "cut"}>
        <span class="strong">{one.title}</span> <Told text={one.text} isLine={!isOpen} />
      </div>
      {hidden !== null && hasMore && (
        <Button kind="plain" isSmall onClick={onTurn}>
          {isOpen ? words.less : hidden > 0 ? words.moreOf(hidden) : words.more}
        </Button>
      )}
      <Button kind="plain" isSmall icon="close" label={words.dismiss} onClick={onDismiss} />
    </div>
  );
}

/** Whether a line has more to say than there is room for. */
function useCut() {
  const line = useRef<HTMLDivElement>(null);
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
