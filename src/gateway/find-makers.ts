// The channels that can make what a model makes, for one caller; the best come first.
import type { Channel } from "../distribution/channel.ts";
import type { Channels } from "../distribution/channels.ts";
import { namesOf, type Named } from "../families/model-names.ts";
import type { Caller } from "../identity/caller.ts";
import { upstreams } from "../upstreams/index.ts";
import type { MakingFacet } from "../upstreams/upstream.ts";
import { channelsFor, unknownPin } from "./candidates.ts";
import { unknownModel } from "./unknown-model.ts";

interface Making {
  facet: MakingFacet;
  job: Named;
  caller: Caller;
}

/** Throws the 503 of a model that nobody serves. */
export function findMakers(channels: Channels, { facet, job, caller }: Making): Channel[] {
  // A key and a channel may name the model as the family does, or as the client did.
  const names = namesOf(job);
  const isAllowed = caller.models === null || names.some((name) => caller.models?.has(name));
  const { group, pinned } = caller;
  const pin = pinned === undefined ? {} : { pinned };
  const serving = new Set(names.flatMap((name) => channelsFor(channels, { group, ...pin }, name)));
  const makers = [...serving]
    .filter(({ settings }) => isAllowed && upstreams[settings.type]?.[facet])
    .toSorted((one, other) => other.settings.priority - one.settings.priority);
  if (makers.length === 0) {
    const reader = isAllowed ? { ...caller, models: null } : caller;
    const wanted = facet === "video" ? "video" : "image";
    const model = names.at(-1) || job.model;
    throw unknownPin(caller, model) ?? unknownModel({ model, caller: reader, wanted });
  }
  return makers;
}
