// Candidates of a text request: the channels that serve its model to the caller, and the one that
// made what the request builds on.
import { GatewayError } from "../../core/errors.ts";
import type { Channel } from "../../distribution/channel.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { Maker, Origins } from "../../distribution/origins.ts";
import type { Format, RequiredOrigin, TextRequest } from "../../formats/format.ts";
import type { Caller } from "../../identity/caller.ts";
import { channelsFor, unknownPin } from "../candidates.ts";
import { unknownModel } from "../unknown-model.ts";
import { wireOf } from "./wires.ts";

/** Allowed by the key's own list. */
export function isAllowed({ models }: Pick<Caller, "models">, model: string): boolean {
  return models === null || models.has(model);
}

/** The caller's channels that serve the model in a wire that the format can be put into. */
export function servingOf(
  { channels }: { channels: Channels },
  { caller, format }: { caller: Caller; format: Format },
  model: string,
): Channel[] {
  const serving: Channel[] = [];
  for (const channel of channelsFor(channels, caller, model)) {
    if (wireOf(channel.settings, format)) serving.push(channel);
  }
  return serving;
}

/** Throws the 503 of a model that nobody serves. */
export function findChannels(
  channels: Channels,
  { caller, format }: { caller: Caller; format: Format },
  model: string,
): readonly Channel[] {
  const serving = isAllowed(caller, model)
    ? servingOf({ channels }, { caller, format }, model)
    : [];
  if (serving.length === 0) {
    throw unknownPin(caller, model) ?? unknownModel({ model, caller, wanted: wantedOf(format) });
  }
  return serving;
}

export function wantedOf({ embedding }: Format): "text" | "embedding" {
  return embedding ? "embedding" : "text";
}

/** Channels that may get a request, and the maker of what it builds on. */
export interface Bounded {
  channels: readonly Channel[];
  /** Null where anybody will do. */
  origin: Maker | null;
}

export function hasOrigins({ origins }: TextRequest): boolean {
  return origins.required !== null || origins.preferred !== null || origins.objects !== undefined;
}

/**
 * Another account's response does not exist, whatever upstream key the two accounts share, and
 * neither does one of a channel that this key may not use for the model. The same holds for what a
 * vendor keeps under an id, save on channels that are open to any id.
 */
export async function chooseOrigin(
  origins: Origins,
  { accountId }: Caller,
  request: TextRequest,
  serving: readonly Channel[],
): Promise<Bounded> {
  const { required, alsoRequired = [], objects = [], preferred } = request.origins;
  const find = async ({ id }: RequiredOrigin) => {
    const choice = await origins.find(accountId, id);
    return choice && serving.includes(choice.channel) ? choice : null;
  };
  const named = required ? [required, ...alsoRequired] : [];
  const makers = await Promise.all(named.map(find));
  const missing = named.find((_one, at) => makers[at] === null);
  if (missing) throw unknownOrigin(missing);
  const kept = await Promise.all(objects.map(find));
  const origin = [...makers, ...kept].find((choice) => choice !== null) ?? null;
  const channels = origin ? [origin.channel] : serving;
  const foreign = objects.find((_one, at) => kept[at] === null);
  if (foreign) return { origin, channels: openTo(channels, foreign) };
  if (origin || preferred === null) return { origin, channels };
  return { origin: await origins.find(accountId, preferred), channels };
}

function openTo(channels: readonly Channel[], object: RequiredOrigin): readonly Channel[] {
  const open = channels.filter(({ settings }) => settings.allowObjects);
  if (open.length === 0) throw unknownOrigin(object);
  return open;
}

function unknownOrigin({ param, unknown }: RequiredOrigin): GatewayError {
  if (unknown === undefined) return new GatewayError("previous_response_not_found", { param });
  return new GatewayError("invalid_request", { param, message: `${param} ${unknown}` });
}
