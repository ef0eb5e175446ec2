// Works out where a request would go now, and why: by the same rules as a real one, with nothing
// sent, held or drawn.
import { readChannels, type ChannelRow } from "../../distribution/queries.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Channel } from "../../distribution/channel.ts";
import { turnsOf } from "../../distribution/shares.ts";
import { standingOf } from "../../distribution/standing.ts";
import { formats } from "../../formats/index.ts";
import type { Format } from "../../formats/format.ts";
import { isPriced, kindOfModel, makersOf } from "../../gateway/list-models.ts";
import { convertedTo, wireOf } from "../../gateway/text/wires.ts";
import type { Operator } from "../../identity/caller.ts";
import { defaultGroup } from "../../identity/groups.ts";
import { OwnNames } from "../../identity/own-names.ts";
import { findListedKey } from "../../identity/queries.ts";
import type { InputOf } from "../call.ts";
import { toWallSeconds } from "../channel/health.ts";
import { existing, readKeyId } from "../input.ts";
import { previewAffinity } from "./affinity.ts";
import type { RouteCalls, RoutePreview } from "./contract.ts";
import type { RouteNeeds } from "./needs.ts";
import { reasonOf, whyNot, type Reader } from "./reasons.ts";

const partsPerOne = 1_000_000;

export async function previewRoute(
  needs: RouteNeeds,
  _operator: Operator,
  { body }: InputOf<RouteCalls["preview"]>,
): Promise<RoutePreview> {
  const { key, group, format: named, weights = {}, conversation } = body;
  const reader = await readerOf(needs, key, group);
  const model = reader.ownNames?.resolve(body.model) ?? body.model;
  const links = linksOf(needs, reader, model);
  const kind = kindOfModel(model, needs.catalogue);
  const format = kind === "text" || kind === "embedding" ? formatOf(named, kind) : null;
  const served = links?.map((link) => servingOf(needs, reader, link.model, format));
  const serving =
    served?.find((channels) => channels.length > 0) ?? servingOf(needs, reader, model, format);
  const rows = await readChannels(needs.database);
  const isAllowed = reader.models === null || reader.models.has(model);
  const candidates = isAllowed ? serving : [];
  const firstAt = served?.indexOf(serving) ?? -1;
  const route: AskedRoute = { model: links?.[firstAt]?.model ?? model, format, reader };
  const byId = new Map(Object.entries(weights));
  const refusal = refusalOf(needs, route.model, { isAllowed, isServed: serving.length > 0 });
  const shown = viewCandidates(needs, candidates, route, byId);
  const first = new Set(shown.filter(({ turn }) => turn === 1).map(({ id }) => id));
  const tier = candidates.filter(({ settings }) => first.has(settings.id));
  const askedFor = { model: route.model, reader, serving: candidates, tier, conversation };
  const affinity = format && !refusal ? previewAffinity(needs, { ...askedFor, format }) : null;
  return {
    model,
    format: format?.name ?? kind,
    group: reader.group,
    multiplier: reader.multiplierPpm / partsPerOne,
    attempts_max: needs.distribution.attemptsMax,
    candidates: affinity?.placed ? shown.map(withCertainty(affinity.placed)) : shown,
    affinity,
    ...(links && {
      members: links.map(({ model: member, when }, at) => ({
        model: member,
        when: [...when],
        candidates: isAllowed
          ? viewCandidates(needs, served?.[at] ?? [], { ...route, model: member }, byId)
          : [],
      })),
    }),
    others: [
      ...needs.channels.all
        .filter((channel) => !candidates.includes(channel))
        .map((channel) => ({ ...placeOf(channel, byId), reason: whyNot(channel, route) })),
      ...rows.filter((row) => row.status === "disabled").map(toDisabled),
    ],
    refusal,
  };
}

/** Null where the name is that of a model. */
function linksOf({ virtualModels }: RouteNeeds, { group }: Reader, model: string) {
  const virtual = virtualModels.find(model, group);
  return virtual ? virtualModels.chainOf(virtual, group, () => 0) : null;
}

/** A conversation goes to one of those that are asked first, and not by chance. */
function withCertainty({ channel_id: placed }: { channel_id: string }) {
  return (one: RoutePreview["candidates"][number]) =>
    one.turn === 1 ? { ...one, share: one.id === placed ? 1 : 0 } : one;
}

interface AskedRoute {
  model: string;
  format: Format | null;
  reader: Reader;
}

function viewCandidates(
  { clock }: RouteNeeds,
  candidates: readonly Channel[],
  { model, format, reader }: AskedRoute,
  weights: ReadonlyMap<string, number>,
): RoutePreview["candidates"] {
  const nowMs = clock.monotonicMs();
  const favours = ({ settings }: Channel) =>
    format === null || wireOf(settings, format)?.isNative === true;
  const { accountId } = reader;
  const stands = (channel: Channel) => standingOf(channel, { nowMs, accountId, names: [model] });
  const open = candidates.filter((channel) => stands(channel).state === "open");
  const turns = turnsOf({ open, favours, weights }).flatMap(({ channels }, at) =>
    channels.map(({ channel, share }) => ({ channel, share, turn: at + 1 })),
  );
  const closed = candidates
    .filter((channel) => !open.includes(channel))
    .map((channel) => ({ channel, share: 0, turn: null }));
  return [...turns, ...closed].map(({ channel, share, turn }) => {
    const { state, untilMs } = stands(channel);
    const converted = format ? (convertedTo(channel.settings, format)?.name ?? null) : null;
    return {
      ...placeOf(channel, weights),
      turn,
      share: Math.round(share * partsPerOne) / partsPerOne,
      state,
      until: untilMs === null ? null : toWallSeconds(clock, Math.max(untilMs, nowMs)),
      in_flight: channel.inFlight,
      upstream_model: channel.upstreamModel(model),
      converted_to: converted,
      reason: reasonOf(state, turn, converted),
    };
  });
}

function placeOf({ settings }: Channel, weights: ReadonlyMap<string, number>) {
  const { id, name, priority, weight } = settings;
  return { id, name, priority, weight: weights.get(id) ?? weight };
}

function toDisabled({ id, name, priority, weight }: ChannelRow): RoutePreview["others"][number] {
  return { id, name, priority, weight, reason: "It is disabled." };
}

function servingOf(
  { channels }: RouteNeeds,
  { group, isRoot }: Reader,
  model: string,
  format: Format | null,
): readonly Channel[] {
  if (format === null) return makersOf(channels, group, model);
  const serving = channels.candidates(model, group, isRoot);
  return serving.filter(({ settings }) => wireOf(settings, format));
}

function formatOf(named: string | undefined, kind: "text" | "embedding"): Format {
  const name = named ?? (kind === "embedding" ? "embeddings" : "chat");
  const format = Object.values(formats).find((one) => one.name === name);
  if (!format) throw invalid("format", `must be one of ${Object.keys(formats).join(", ")}`);
  return format;
}

async function readerOf(
  { database, groups }: RouteNeeds,
  key: string | undefined,
  named: string | undefined,
): Promise<Reader> {
  const row = key === undefined ? null : existing(await findListedKey(database, readKeyId(key)));
  const group = groups.find(row?.group_name ?? named ?? defaultGroup);
  if (!group) throw new GatewayError("not_found", { param: "group" });
  const models: string[] | null = row?.models ? JSON.parse(row.models) : null;
  const accountId: AccountId | null = row?.account_id ?? null;
  return {
    group: group.name,
    multiplierPpm: group.multiplierPpm,
    models: models && new Set(models),
    ownNames: row?.model_mapping ? new OwnNames(JSON.parse(row.model_mapping)) : null,
    accountId,
    isRoot: row?.role === "root",
  };
}

function refusalOf(
  { prices }: RouteNeeds,
  model: string,
  { isAllowed, isServed }: { isAllowed: boolean; isServed: boolean },
): RoutePreview["refusal"] {
  if (!isAllowed)
    return { code: "model_not_found", message: "The key's own list has not this model." };
  if (!isServed) {
    return { code: "model_not_found", message: "No channel of the group serves this model." };
  }
  if (isPriced(prices, model)) return null;
  return { code: "model_not_priced", message: "The model has no price." };
}
