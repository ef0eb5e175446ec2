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
import { toRow, toShown } from "./row.ts";

export function toView(
  { channels, clock, seal, prices }: ChannelNeeds,
  row: ChannelRow,
  keys: readonly ChannelKeyRow[],
): ChannelView {
  const live = channels.find(row.id);
  const shown = toShown(row);
  const models: string[] = shown.models;
  return {
    ...shown,
    id: row.id,
    vendor: shown.vendor ?? {},
    keys: keys.map((key) => viewKey(clock, key, live)),
    headers: hideHeaders(row),
    proxy: withoutLogin(openProxy(seal, row)),
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

/** One of the built-in vendors: what none of them sets is shown as of a new channel. */
export function toSandboxView({ clock, seal }: ChannelNeeds, live: Channel): ChannelView {
  const { settings } = live;
  const { id, name, type, groups, priority, weight, affinity } = settings;
  const { models, modelMapping } = settings;
  const basics = { name, type, base_url: settings.baseUrl, priority, weight, affinity };
  const lists = { models: [...models], groups: [...groups], model_mapping: { ...modelMapping } };
  const moments = { created_at_ms: 0, updated_at_ms: 0 };
  const input = { ...basics, ...lists, allow_private: true };
  const row = toRow(seal, input, { id, declared: 0, author: "root", ...moments });
  return {
    ...toShown(row),
    id,
    format: settings.format,
    vendor: settings.vendor ?? {},
    keys: settings.keys.map((key) => ({
      last4: lastFour(key.text),
      status: "enabled",
      reason: null,
      ...viewRests(clock, key),
    })),
    headers: {},
    proxy: null,
    concurrency: settings.concurrency,
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
  const { fault } = live?.settings ?? {};
  const why = reason ?? (fault?.isStopped ? fault.message : null);
  return { last4, status, reason: why, ...viewRests(clock, key) };
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
