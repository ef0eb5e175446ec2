// Channels are put in order by hand: dragged by their grip, or moved by the arrow keys on it.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ChannelView } from "../../../src/admin/contract.ts";
import { refresh } from "../../core/api.ts";
import { Icon } from "../../kit/icon.tsx";
import { showToast } from "../../kit/toast.tsx";
import { changeMany } from "./actions.tsx";
import { planMove, stepOf, targetAt, type Change, type Placed, type Target } from "./order.ts";
import { t } from "./words.ts";

/** Id of the dragged channel; nothing else may be let go here. */
let draggedId: string | null = null;

/** Those of the sandbox stand behind all others, whatever their priority. */
function placedOf(items: readonly ChannelView[]): Placed[] {
  return items
    .filter(({ sandbox }) => !sandbox)
    .map(({ id, priority, declared: isFixed }) => ({ id, priority, isFixed }));
}

async function apply(changes: readonly Change[]): Promise<void> {
  const steps = [...new Set(changes.map(({ priority }) => priority))];
  for (const priority of steps) {
    const ids = changes.filter((one) => one.priority === priority).map(({ id }) => id);
    await changeMany(ids, { priority });
  }
}

async function move(items: readonly ChannelView[], id: string, target: Target): Promise<void> {
  const changes = planMove(placedOf(items), id, target);
  const view = items.find((one) => one.id === id);
  const own = changes.find((one) => one.id === id);
  if (!view || !own) return;
  const before = changes.toReversed().map((change) => ({
    id: change.id,
    priority: items.find((one) => one.id === change.id)?.priority ?? change.priority,
  }));
  try {
    await apply(changes);
    showToast(t().wasMoved(view.name, own.priority), () => void apply(before));
  } catch {
    // The list shows what holds, whatever was refused.
    refresh("/api/channel");
    showToast(t().notMoved(view.name));
  }
}

interface GripOptions {
  view: ChannelView;
  items: readonly ChannelView[];
}

/** Id of the one moved by keys: its row moves away from under the focus. */
let keyedId: string | null = null;

export function Grip({ view: { id, name, declared, sandbox }, items }: GripOptions) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (keyedId === id && document.activeElement === document.body) button.current?.focus();
  });
  if (declared || sandbox) return null;
  const keys = (event: KeyboardEvent) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    keyedId = id;
    const target = stepOf(placedOf(items), id, event.key === "ArrowUp");
    if (target) void move(items, id, target);
  };
  return (
    <button
      ref={button}
      type="button"
      class="grip"
      draggable
      aria-label={t().moveLabel(name)}
      title={t().moveTitle}
      onKeyDown={keys}
      onDragStart={(event) => {
        draggedId = id;
        event.dataTransfer?.setData("text/plain", name);
      }}
      onDragEnd={() => {
        draggedId = null;
      }}
    >
      <Icon name="grip" />
    </button>
  );
}

interface MovableOptions {
  items: readonly ChannelView[];
  children: ComponentChildren;
}

/** Around the list: its rows take what is let go over them. */
export function Movable({ items, children }: MovableOptions) {
  const over = (event: DragEvent) => {
    const drop = dropOf(event, items);
    mark(drop?.row ?? null, drop?.target.kind ?? null, drop?.part ?? 0);
    if (drop) event.preventDefault();
  };
  const take = (event: DragEvent) => {
    const drop = dropOf(event, items);
    mark(null, null, 0);
    if (!drop || draggedId === null) return;
    event.preventDefault();
    void move(items, draggedId, drop.target);
  };
  return (
    <div onDragOver={over} onDrop={take} onDragEnd={() => mark(null, null, 0)}>
      {children}
    </div>
  );
}

function dropOf(event: DragEvent, items: readonly ChannelView[]) {
  if (draggedId === null || !(event.target instanceof Element)) return null;
  const row = event.target.closest<HTMLTableRowElement>("tbody tr");
  if (!row) return null;
  const { top, height } = row.getBoundingClientRect();
  const part = (event.clientY - top) / height;
  const at = row.sectionRowIndex;
  const target = targetAt(placedOf(items), draggedId, { at, part });
  return target && { row, target, part };
}

let marked: HTMLElement | null = null;

function mark(row: HTMLElement | null, kind: Target["kind"] | null, part: number): void {
  if (marked && marked !== row) delete marked.dataset["drop"];
  marked = row;
  if (row) row.dataset["drop"] = kind === "with" ? "with" : part < 0.5 ? "above" : "below";
}
