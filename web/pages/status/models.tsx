// State of each model, day by day, for whoever may see it.
import type { ModelsHealth as Health } from "../../../src/admin/contract.ts";
import { pathOf, usePolled } from "../../core/control.ts";
import { millis, percent } from "../../core/format.ts";
import { healthAt } from "../../core/session.ts";
import { Strip } from "../../kit/chart/small.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Card } from "../../kit/figures.tsx";
import { Table } from "../../kit/table.tsx";
import { t } from "./words.ts";

const ask = { query: { days: 30 } };
const everyMs = 60_000;
type ModelHealth = Health["items"][number];

/** Nothing at all where it is not for this person. */
export function ModelsHealth() {
  const words = t();
  const at = healthAt();
  const { data, error } = usePolled(everyMs, at, ask);
  if (at === null || (error && !data)) return null;
  return (
    <Card
      title={words.models}
      note={words.ofDays}
      tools={<CurlButton path={pathOf(at, ask)} />}
      isFlush
    >
      {data?.items.length === 0 && <Empty title={words.noModels} text={words.noModelsText} />}
      {data && data.items.length > 0 && <Models health={data} />}
    </Card>
  );
}

function Models({ health }: { health: Health }) {
  const words = t();
  const days = daysOf(health);
  return (
    <div class="scrolls">
      <Table<ModelHealth>
        label={words.models}
        rows={health.items}
        idOf={({ model }) => model}
        columns={[
          { name: "model", head: words.model, cell: ({ model }) => model },
          { name: "days", head: words.days, cell: (one) => <Days {...{ days }} health={one} /> },
          {
            name: "first",
            head: words.firstByte,
            cell: ({ first_byte_ms: ms }) => millis(ms),
            isRight: true,
            card: "hidden",
          },
          {
            name: "total",
            head: words.total,
            cell: ({ total_ms: ms }) => millis(ms),
            isRight: true,
            card: "hidden",
          },
          {
            name: "success",
            head: words.success,
            cell: ({ success }) => percent(success, 1, 2),
            isRight: true,
            card: "aside",
          },
        ]}
      />
    </div>
  );
}

function Days({ days, health }: { days: readonly string[]; health: ModelHealth }) {
  const byDay = new Map(health.days.map((one) => [one.day, one.success]));
  const parts = days.map((day) => {
    const success = byDay.get(day);
    if (success === undefined) return { good: 0, all: 0, title: day };
    return { good: success, all: 1, title: `${day}: ${percent(success, 1, 2)}` };
  });
  return <Strip parts={parts} label={t().daysOf(health.model, percent(health.success, 1, 2))} />;
}

/** Every day of the stretch, of UTC, as the API cuts them. */
function daysOf({ from, to }: Health): string[] {
  const days: string[] = [];
  const end = Date.parse(to);
  for (let at = Date.parse(from); at < end; at += 86_400_000) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}
