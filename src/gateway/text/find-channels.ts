// Candidates of a text request: the channels that serve its model to the caller.
import type { Channel } from "../../distribution/channel.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { Format } from "../../formats/format.ts";
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
