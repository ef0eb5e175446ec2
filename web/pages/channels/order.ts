// A channel's place among the others: which priority it gets where it is put, and who has to make
// room for it. Those of one priority share the requests by their weights.

export interface Placed {
  id: string;
  priority: number;
  /** Declared in the file, or of the sandbox. */
  isFixed: boolean;
}

export interface Change {
  id: string;
  priority: number;
}

/** Together with those of a priority, or alone between two; null is beyond the first or last. */
export type Target =
  | { kind: "with"; priority: number }
  | { kind: "between"; above: number | null; below: number | null };

/** Changes needed, in an order in which no one passes another on the way. */
export function planMove(all: readonly Placed[], id: string, target: Target): Change[] {
  const own = all.find((one) => one.id === id);
  if (target.kind === "with") return changed(own, target.priority);
  const { above, below } = target;
  if (above === null && below === null) return [];
  if (above === null) return changed(own, (below ?? 0) + 1);
  if (below === null) return changed(own, above - 1);
  if (above - below >= 2) return changed(own, Math.floor((above + below) / 2));
  const others = all.filter((one) => one.id !== id);
  const raised = raise(others, above, below + 2);
  // Channels of the file make no room: then they share.
  if (raised === null) return changed(own, below);
  return [...raised, ...changed(own, below + 1)];
}

function changed(own: Placed | undefined, priority: number): Change[] {
  return own && own.priority !== priority ? [{ id: own.id, priority }] : [];
}

/** Everyone from this priority on goes as far up as is needed, and those in their way too. */
function raise(others: readonly Placed[], from: number, to: number): Change[] | null {
  const steps = [...new Set(others.map(({ priority }) => priority))]
    .filter((priority) => priority >= from)
    .toSorted((one, other) => one - other);
  const raised: Change[][] = [];
  let least = to;
  for (const step of steps) {
    if (step >= least) break;
    const group = others.filter(({ priority }) => priority === step);
    if (group.some(({ isFixed }) => isFixed)) return null;
    const priority = least++;
    raised.unshift(group.map(({ id }) => ({ id, priority })));
  }
  return raised.flat();
}

/** One step by keyboard: out of those it shares with, or in among the next. */
export function stepOf(all: readonly Placed[], id: string, isUp: boolean): Target | null {
  const own = all.find((one) => one.id === id);
  if (!own) return null;
  const others = all.filter((one) => one.id !== id).map(({ priority }) => priority);
  const above = Math.min(...others.filter((priority) => priority > own.priority));
  const below = Math.max(...others.filter((priority) => priority < own.priority));
  const shares = others.includes(own.priority);
  const next = isUp ? above : below;
  if (!shares) return Number.isFinite(next) ? { kind: "with", priority: next } : null;
  const beyond = Number.isFinite(next) ? next : null;
  return isUp
    ? { kind: "between", above: beyond, below: own.priority }
    : { kind: "between", above: own.priority, below: beyond };
}

/** Target of something let go over a row: in its middle, or above or below that. */
export function targetAt(
  all: readonly Placed[],
  id: string,
  { at, part }: { at: number; part: number },
): Target | null {
  const others = all.filter((one) => one.id !== id);
  const row = all[at];
  if (!row || row.id === id) return null;
  if (part > edge && part < 1 - edge) return { kind: "with", priority: row.priority };
  const index = others.indexOf(row);
  const [above, below] = part <= edge ? [others[index - 1], row] : [row, others[index + 1]];
  if (above?.priority === below?.priority) return { kind: "with", priority: row.priority };
  return { kind: "between", above: above?.priority ?? null, below: below?.priority ?? null };
}

/** Share of a row's height. */
const edge = 0.3;
