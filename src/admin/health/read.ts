// Health of each model by day: what the gateway and its vendors failed at, and how fast they were.
// Leave out mistakes of clients.
import { dayOf, formatDay } from "../../core/day.ts";
import { judgedOutcomes, slotsInDay } from "../../observe/facets/facets.ts";
import { SlotReader } from "../../observe/facets/read.ts";
import { addUp, type SlotSums } from "../../observe/slots/reading/sums.ts";
import type { InputOf } from "../call.ts";
import { awaitLog, type RecordNeeds } from "../record-needs.ts";
import { toSeriesSums } from "../series/sums.ts";
import { noMargin } from "../usage/sums.ts";
import type { HealthCalls, ModelsHealth } from "./contract.ts";
import { roundedShare } from "./share.ts";

export type HealthQuery = InputOf<HealthCalls["readModels"]>["query"];

const modelsMax = 200;
export const daysUsual = 30;

/** All models that were asked for, whoever reaches them. */
export async function readHealth(needs: RecordNeeds, query: HealthQuery): Promise<ModelsHealth> {
  const { store, clock, facetMemory } = needs;
  const toDay = dayOf(clock.nowMs()) + 1;
  const fromDay = toDay - (query.days ?? daysUsual);
  const [fromSlot, toSlot] = [fromDay * slotsInDay, toDay * slotsInDay];
  const { model: wanted } = query;
  const only = { outcome: judgedOutcomes, ...(wanted && { model: [wanted] }) };
  const filter = { fromSlot, toSlot, only };
  const byModel = { view: "usage_channel_slot", by: "model" } as const;
  await awaitLog(needs);
  const reader = new SlotReader(store, filter, facetMemory);
  const top = await reader.topNames(byModel, modelsMax);
  const names = top.filter((name) => name !== "");
  const steps = { step: slotsInDay, offset: 0 };
  const points = await reader.namedPoints(byModel, { names, steps });
  const items = names.flatMap((model) => {
    const own = points.filter(({ name }) => name === model);
    const days = own.filter(({ counts }) => (counts.requests ?? 0) > 0);
    if (days.length === 0) return [];
    return {
      model,
      ...toHealth(addUp(own)),
      days: days.map((point) => ({ day: formatDay(point.bucket), ...toHealth(point) })),
    };
  });
  return { from: formatDay(fromDay), to: formatDay(toDay), items };
}

function toHealth(point: SlotSums): Omit<ModelsHealth["items"][number], "model" | "days"> {
  const sums = toSeriesSums(point, noMargin);
  const { requests, failures, first_byte, total_time, input_tokens, cache_read_tokens } = sums;
  return {
    success: requests === 0 ? 1 : roundedShare(Math.max(requests - failures, 0), requests),
    first_byte_ms: first_byte?.p50 ?? null,
    total_ms: total_time?.p50 ?? null,
    cached_share: input_tokens === 0 ? null : roundedShare(cache_read_tokens, input_tokens),
  };
}
