// A channel as it is shown: how it is set, of its keys only what tells them apart, and how it does.
import type { Clock } from "../../core/clock.ts";
import { hideHeaders } from "../../distribution/channel-headers.ts";
import { lastFour, type Channel, type ChannelKey } from "../../distribution/channel.ts";
import { openProxy, type ChannelKeyRow, type ChannelRow } from "../../distribution/queries.ts";
import { isPriced } from "../../gateway/list-models.ts";
import type { ChannelView } from "./contract.ts";
import { toSeconds } from "../input.ts";
import { toWallSeconds, viewHealth } from "./health.ts";
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
    vendor: row.vendor === null ? {} : JSON.parse(row.vendor),
    keys: keys.map((key) => viewKey(clock, key, live)),
    models,
    groups: JSON.parse(row.groups),
    priority: row.priority,
    weight: row.weight,
    model_mapping: JSON.parse(row.model_mapping),
    parameters: JSON.parse(row.parameters),
    headers: hideHeaders(row),
    surcharges: JSON.parse(row.surcharges),
    drop_store: row.drop_store === 1,
    allow_private: row.allow_private === 1,
    allow_objects: row.allow_objects === 1,
    hidden_prompt_tokens: row.hidden_prompt_tokens,
    allow_routing: row.allow_routing === 1,
    affinity: row.affinity === 1,
    cost: JSON.parse(row.cost),
    proxy: withoutLogin(openProxy(seal, row)),
    http2: row.http2 === 1,
    concurrency: row.concurrency,
    requests_per_minute: row.requests_per_minute,
    tokens_per_minute: row.tokens_per_minute,
    key_requests_per_minute: row.key_requests_per_minute,
    key_tokens_per_minute: row.key_tokens_per_minute,
    spend_per_day_micros: row.spend_per_day_micros,
    first_byte_ms: row.first_byte_ms,
    stall_ms: row.stall_ms,
    total_ms: row.total_ms,
    status: row.status,
    declared: row.declared === 1,
    sandbox: false,
    health: viewHealth(clock, live),
    unpriced: models.filter((model) => !isPriced(prices, model)),
    in_flight: channels.inFlightOf(row.id),
    implausible: live?.implausible ?? 0,
    created_at: toSeconds(row.created_at_ms),
    updated_at: toSeconds(row.updated_at_ms),
  };
}

/** The built-in vendors, which nobody has configured. */
export function sandboxChannels({ channels }: Pick<ChannelNeeds, "channels">): readonly Channel[] {
  return channels.all.filter(({ settings }) => settings.keepsKeys);
}

/** One of the built-in vendors. */
export function toSandboxView(clock: Clock, live: Channel): ChannelView {
  const { settings } = live;
  return {
    id: settings.id,
    name: settings.name,
    type: settings.type,
    format: settings.format,
    base_url: settings.baseUrl,
    vendor: settings.vendor ?? {},
    keys: settings.keys.map((key) => ({
      last4: lastFour(key.text),
      status: "enabled",
      reason: null,
      ...viewRests(clock, key),
    })),
    models: [...settings.models],
    groups: [...settings.groups],
    priority: settings.priority,
    weight: settings.weight,
    model_mapping: { ...settings.modelMapping },
    parameters: {},
    headers: {},
    surcharges: {},
    drop_store: false,
    allow_private: true,
    allow_objects: false,
    hidden_prompt_tokens: 0,
    allow_routing: false,
    affinity: settings.affinity,
    cost: {},
    proxy: null,
    http2: false,
    concurrency: settings.concurrency,
    requests_per_minute: null,
    tokens_per_minute: null,
    key_requests_per_minute: null,
    key_tokens_per_minute: null,
    spend_per_day_micros: null,
    first_byte_ms: null,
    stall_ms: null,
    total_ms: null,
    status: "enabled",
    declared: false,
    sandbox: true,
    health: viewHealth(clock, live),
    unpriced: [],
    in_flight: live.inFlight,
    implausible: live.implausible,
    created_at: 0,
    updated_at: 0,
  };
}

function viewKey(
  clock: Clock,
  { last4, status, reason, position }: ChannelKeyRow,
  live: Channel | undefined,
): ChannelView["keys"][number] {
  const key = live?.settings.keys.find((one) => one.position === position);
  return { last4, status, reason, ...viewRests(clock, key) };
}

function viewRests(
  clock: Clock,
  key: ChannelKey | undefined,
): Pick<ChannelView["keys"][number], "rests_until" | "rests_for"> {
  const resting = key?.rests?.at(clock.monotonicMs());
  if (!resting) return { rests_until: null, rests_for: null };
  const { untilMs, models } = resting;
  return { rests_until: toWallSeconds(clock, untilMs), rests_for: models && [...models] };
}

/** A proxy's credentials are as secret as a key. */
function withoutLogin(proxy: string | null): string | null {
  const url = URL.parse(proxy ?? "");
  return url && `${url.protocol}//${url.host}`;
}
