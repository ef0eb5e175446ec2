// Prices before and after, to be accepted row by row.
import type { PriceInput } from "../../../src/admin/contract.ts";
import { Badge, type Tone } from "../../kit/badge.tsx";
import { Table, type Column } from "../../kit/table.tsx";
import { lineOf } from "./parts.tsx";
import { t } from "./words.ts";

export interface Change {
  model: string;
  kind: "new" | "changed" | "same" | "own" | "unlisted" | "removed" | "replaces_catalogue";
  vendor?: string | null;
  before: PriceInput | null;
  after: PriceInput | null;
}

const tones: Partial<Record<Change["kind"], Tone>> = {
  new: "good",
  changed: "warn",
  removed: "bad",
  replaces_catalogue: "warn",
};

export function isChange({ kind }: Change): boolean {
  return kind in tones;
}

interface ChangesOptions {
  changes: readonly Change[];
  /** Those that are not accepted. */
  left: ReadonlySet<string>;
  onLeft(left: ReadonlySet<string>): void;
}

export function Changes({ changes, left, onLeft }: ChangesOptions) {
  const words = t();
  const toggle = (model: string) => {
    const next = new Set(left);
    if (!next.delete(model)) next.add(model);
    onLeft(next);
  };
  const columns: Column<Change>[] = [
    {
      name: "accept",
      head: words.acceptHead,
      cell: (change) =>
        isChange(change) && (
          <input
            type="checkbox"
            class="accept"
            aria-label={words.accept(change.model)}
            checked={!left.has(change.model)}
            onChange={() => toggle(change.model)}
          />
        ),
      card: "aside",
    },
    {
      name: "model",
      head: words.model,
      cell: ({ model }) => <span class="mono">{model}</span>,
      card: "title",
    },
    {
      name: "kind",
      head: words.kind,
      cell: ({ kind }) => <Badge tone={tones[kind] ?? "none"}>{words.kinds[kind]}</Badge>,
    },
    { name: "before", head: words.before, cell: ({ before }) => lineOf(before), hasHead: true },
    { name: "after", head: words.after, cell: ({ after }) => lineOf(after), hasHead: true },
    {
      name: "vendor",
      head: words.vendor,
      cell: ({ vendor }) => <span class="quiet">{vendor ?? ""}</span>,
      card: "hidden",
    },
  ];
  return (
    <div class="scrolls">
      <Table
        label={words.kind}
        rows={changes}
        idOf={({ model }) => model}
        columns={changes.some(({ vendor }) => vendor) ? columns : columns.slice(0, -1)}
      />
    </div>
  );
}
