// The channel that made what a text request builds on: earlier responses, and things that a vendor
// keeps under an id.
import { GatewayError } from "../../core/errors.ts";
import type { Channel } from "../../distribution/channel.ts";
import type { Maker, Origins } from "../../distribution/origins.ts";
import type { RequiredOrigin, TextRequest } from "../../formats/format.ts";
import type { Caller } from "../../identity/caller.ts";

/** Channels that may get a request, and the maker of what it builds on. */
export interface Bounded {
  channels: readonly Channel[];
  /** Null where anybody will do. */
  origin: Maker | null;
}

/** Different ids in one request. A long conversation of an agent names some thousands. */
const idsMax = 10_000;
/** Ids in one read of the database, so that a request causes eleven of them at most. */
const idsPerRead = 1000;

export function hasOrigins({ origins }: TextRequest): boolean {
  return origins.required !== null || origins.preferred !== null || origins.objects !== undefined;
}

/**
 * Another account's response does not exist, whatever upstream key the two accounts share, and
 * neither does that of another member of an organisation, or one of a channel that this key may not
 * use for the model. The same holds for what a vendor keeps under an id, save on channels that are
 * open to any id.
 */
export async function chooseOrigin(
  origins: Origins,
  caller: Caller,
  request: TextRequest,
  serving: readonly Channel[],
): Promise<Bounded> {
  const { required, alsoRequired = [], objects = [], preferred } = request.origins;
  const responses = firstOfEachId(required ? [required, ...alsoRequired] : []);
  const kept = firstOfEachId(objects);
  const extra = [...responses, ...kept][idsMax];
  if (extra) throw tooManyIds(extra);
  const open = serving.filter(({ settings }) => settings.allowObjects);
  const search = new OriginSearch(origins, caller, new Set(serving));
  const missing = await search.findMissing(responses, true);
  if (missing) throw unknownOrigin(missing);
  // The first unknown one decides unless a channel is open to any id.
  const foreign = await search.findMissing(kept, open.length === 0);
  const origin = search.maker;
  const channels = origin ? [origin.channel] : serving;
  if (foreign) return { origin, channels: openTo(channels, foreign) };
  if (origin || preferred === null) return { origin, channels };
  return { origin: await origins.findSigner(caller.accountId, preferred), channels };
}

class OriginSearch {
  readonly #origins: Origins;
  readonly #caller: Caller;
  readonly #serving: ReadonlySet<Channel>;
  /** Maker of the first one that has a maker here. */
  maker: Maker | null = null;

  constructor(origins: Origins, caller: Caller, serving: ReadonlySet<Channel>) {
    this.#origins = origins;
    this.#caller = caller;
    this.#serving = serving;
  }

  /** The first one that no serving channel made; the search may end there. */
  async findMissing(
    named: readonly RequiredOrigin[],
    endsAtMissing: boolean,
  ): Promise<RequiredOrigin | null> {
    let missing: RequiredOrigin | null = null;
    for (let from = 0; from < named.length; from += idsPerRead) {
      const part = named.slice(from, from + idsPerRead);
      const makers = await this.#origins.findAll(
        this.#caller,
        part.map(({ id }) => id),
      );
      for (const [index, one] of part.entries()) {
        const maker = makers[index];
        if (maker && this.#serving.has(maker.channel)) this.maker ??= maker;
        else missing ??= one;
      }
      if (missing && (endsAtMissing || this.maker)) return missing;
    }
    return missing;
  }
}

function firstOfEachId(named: readonly RequiredOrigin[]): readonly RequiredOrigin[] {
  if (named.length < 2) return named;
  const firsts = new Map<string, RequiredOrigin>();
  for (const one of named) if (!firsts.has(one.id)) firsts.set(one.id, one);
  return [...firsts.values()];
}

function openTo(channels: readonly Channel[], object: RequiredOrigin): readonly Channel[] {
  const open = channels.filter(({ settings }) => settings.allowObjects);
  if (open.length === 0) throw unknownOrigin(object);
  return open;
}

function tooManyIds({ param }: RequiredOrigin): GatewayError {
  const message =
    `${param} is one id too many: a request names at most ${idsMax} responses, items and files ` +
    "that are kept elsewhere. Send the content itself.";
  return new GatewayError("invalid_request", { param, message });
}

function unknownOrigin({ param, unknown }: RequiredOrigin): GatewayError {
  if (unknown === undefined) return new GatewayError("previous_response_not_found", { param });
  return new GatewayError("invalid_request", { param, message: `${param} ${unknown}` });
}
