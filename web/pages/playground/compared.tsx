// Models of a conversation held against each other: what each has cost, how fast it was, and how
// much of its input came from a cache.
import { exactMoney, count, millis, percent } from "../../core/format.ts";
import { Card } from "../../kit/figures.tsx";
import { Table, type Column } from "../../kit/table.tsx";
import { speedOf } from "./figures.tsx";
import { turns, type ReplyFacts } from "./state.ts";
import { t } from "./words.ts";

export interface ModelSums {
  model: string;
  requests: number;
  micros: number;
  /** Means of those that have one. */
  firstMs: number | null;
  speed: number | null;
  input: number;
  cached: number;
}

/** Requests whose charge is known, by model. */
function sumsOf(): ModelSums[] {
  const byModel = new Map<string, ReplyFacts[]>();
  for (const { strands } of turns.value) {
    for (const { model, replies } of strands) {
      const ended = replies.value.map(({ facts }) => facts.value).filter(({ row }) => row !== null);
      byModel.set(model, [...(byModel.get(model) ?? []), ...ended]);
    }
  }
  return Array.from(byModel, ([model, all]) => ({
    model,
    requests: all.length,
    micros: sum(all.map(({ row }) => row?.micros ?? 0)),
    firstMs: mean(all.map(({ firstMs }) => firstMs)),
    speed: mean(all.map(speedOf)),
    input: sum(all.map(({ row }) => row?.input_tokens ?? 0)),
    cached: sum(all.map(({ row }) => row?.cache_read_tokens ?? 0)),
  })).filter(({ requests }) => requests > 0);
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : sum(known) / known.length;
}

export function Compared() {
  const words = t();
  const rows = sumsOf();
  if (rows.length < 2) return null;
  return (
    <Card title={words.compared} isFlush>
      <Table<ModelSums>
        label={words.compared}
        rows={rows}
        idOf={({ model }) => model}
        columns={columns(rows)}
      />
    </Card>
  );
}

function columns(rows: readonly ModelSums[]): Column<ModelSums>[] {
  const words = t();
  const cheapest = Math.min(...rows.map(({ micros }) => micros));
  const soonest = Math.min(...rows.map(({ firstMs }) => firstMs ?? Infinity));
  const fastest = Math.max(...rows.map(({ speed }) => speed ?? 0));
  const marked = (text: string, isBest: boolean) => (isBest ? <strong>{text}</strong> : text);
  const right = { isRight: true, card: "line", hasHead: true } as const;
  return [
    { name: "model", head: words.model, cell: ({ model }) => <span class="cut">{model}</span> },
    { name: "requests", head: words.requests, ...right, cell: (one) => count(one.requests) },
    {
      name: "cost",
      head: words.cost,
      ...right,
      cell: ({ micros }) => marked(exactMoney(micros), micros === cheapest),
    },
    {
      name: "first",
      head: words.firstToken,
      ...right,
      cell: ({ firstMs }) => marked(millis(firstMs), firstMs === soonest),
    },
    {
      name: "speed",
      head: words.speed,
      ...right,
      cell: ({ speed }) =>
        speed === null ? "–" : marked(words.speedOf(count(Math.round(speed))), speed === fastest),
    },
    {
      name: "cached",
      head: words.cachedShare,
      ...right,
      cell: ({ cached, input }) => percent(cached, input),
    },
  ];
}
