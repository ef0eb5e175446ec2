// A channel as it is shown: how it is set, of its keys only what tells them apart, and how it does.
import { openProxy, type ChannelKeyRow, type ChannelRow } from "../../distribution/queries.ts";
import { isPriced } from "../../gateway/list-models.ts";
import type { ChannelView } from "../contract.ts";
import { toSeconds } from "../input.ts";
import type { ChannelNeeds } from "./needs.ts";

export function toView(
  { channels, clock, seal, prices }: ChannelNeeds,
  row: ChannelRow,
  keys: readonly ChannelKeyRow[],
): ChannelView {
  const live = channels.find(row.id);
  const models: string[] = JSON.parse(row.models);
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    format: row.format,
    base_url: row.base_url,
    keys: keys.map(({ last4, status, reason }) => ({ last4, status, reason })),
    models,
    groups: JSON.parse(row.groups),
    priority: row.priority,
    weight: row.weight,
    model_mapping: JSON.parse(row.model_mapping),
    parameters: JSON.parse(row.parameters),
    headers: JSON.parse(row.headers),
    surcharges: JSON.parse(row.surcharges),
    drop_store: row.drop_store === 1,
    allow_private: row.allow_private === 1,
    allow_objects: row.allow_objects === 1,
    proxy: withoutLogin(openProxy(seal, row)),
    http2: row.http2 === 1,
    concurrency: row.concurrency,
    first_byte_ms: row.first_byte_ms,
    stall_ms: row.stall_ms,
    total_ms: row.total_ms,
    status: row.status,
    declared: row.declared === 1,
    health: { ejected: live?.health.isOut(clock.monotonicMs()) ?? false },
    unpriced: models.filter((model) => !isPriced(prices, model)),
    in_flight: live?.inFlight ?? 0,
    implausible: live?.implausible ?? 0,
    created_at: toSeconds(row.created_at_ms),
    updated_at: toSeconds(row.updated_at_ms),
  };
}

/** Whose credentials a proxy is used with is as secret as a key. */
function withoutLogin(proxy: string | null): string | null {
  const url = URL.parse(proxy ?? "");
  return url && `${url.protocol}//${url.host}`;
}
