// How each model was doing on each day: what the gateway and its vendors failed at, and how fast
// they were. What clients did wrong themselves is left out.
import { invalid } from "../../core/errors.ts";
import { dayMs, dayOf, formatDay } from "../../core/day.ts";
import { slotMs } from "../../observe/slots/slots.ts";
import { listSlots, listTopNames, type SlotSums } from "../../observe/slots/reading/queries.ts";
import { readLog } from "../../store/log.ts";
import type { ModelsHealth } from "../contract.ts";
import { awaitLog, type RecordNeeds } from "../record-needs.ts";
import { toSeriesSums } from "../series/sums.ts";

const judged = ["ok", "client_abort", "upstream_error", "gateway_error"];
const modelsMax = 200;
const daysMost = 90;

export async function readModelsHealth(
  needs: RecordNeeds,
  query: URLSearchParams,
): Promise<ModelsHealth> {
  const { store, clock } = needs;
  const toDay = dayOf(clock.nowMs()) + 1;
  const fromDay = toDay - readDays(query);
  const slotsInDay = dayMs / slotMs;
  const [fromSlot, toSlot] = [fromDay * slotsInDay, toDay * slotsInDay];
  const filter = { fromSlot, toSlot, only: { outcome: judged } };
  const view = "usage_channel_slot";
  await awaitLog(needs);
  const top = await readLog(store, listTopNames(view, filter, { by: "model", limit: modelsMax }));
  const names = top.map(({ name }) => name).filter((name) => name !== "");
  const read = async (step: number) =>
    await readLog(
      store,
      listSlots(view, filter, { by: "model", names, steps: { step, offset: 0 } }),
    );
  const points = await read(slotsInDay);
  // All of it is one point, however many days it has.
  const wholes = new Map((await read(toSlot)).map((point) => [point.name, point]));
  const items = names.flatMap((model) => {
    const whole = wholes.get(model);
    if (!whole?.requests) return [];
    const days = points.filter(({ name, requests = 0 }) => name === model && requests > 0);
    return {
      model,
      ...toHealth(whole),
      days: days.map((point) => ({ day: formatDay(point.bucket), ...toHealth(point) })),
    };
  });
  return { from: formatDay(fromDay), to: formatDay(toDay), items };
}

function toHealth(point: SlotSums): Omit<ModelsHealth["items"][number], "model" | "days"> {
  const { requests, failures, first_byte, total_time } = toSeriesSums(point);
  const share = requests === 0 ? 1 : Math.max(requests - failures, 0) / requests;
  return {
    success: Math.round(share * 10_000) / 10_000,
    first_byte_ms: first_byte?.p50 ?? null,
    total_ms: total_time?.p50 ?? null,
  };
}

function readDays(query: URLSearchParams): number {
  const text = query.get("days") || "30";
  const days = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= daysMost) return days;
  throw invalid("days", `must be from 1 to ${daysMost}`);
}
