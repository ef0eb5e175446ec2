// What is done with what a request asks for beyond its tokens, channel by channel: it is priced,
// refused, or left out and told.
import { findBytes, type SseEvent } from "../../core/sse.ts";
import { invalid } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { SurchargeWord } from "../../config/entities.ts";
import type { Channel, ChannelSettings } from "../../distribution/channel.ts";
import type {
  Format,
  Observed,
  Sighting,
  StreamObserver,
  TextRequest,
} from "../../formats/format.ts";
import { withField } from "../../formats/kit/field-paths.ts";
import { leaveOut } from "../../formats/kit/surcharges.ts";
import {
  callsMaxDefault,
  isLower,
  noSurcharges,
  SurchargeUse,
  type Surcharge,
  type SurchargeKind,
  type SurchargeSide,
} from "../../formats/surcharge.ts";
import type { PricedSurcharge } from "../../quota/surcharge-price.ts";
import type { TextInput } from "./text-job.ts";

type Headers = Readonly<Record<string, string>>;

export function findSurcharges({ format, body, wireHeaders }: TextInput): readonly Surcharge[] {
  return format.surcharges?.find(body, wireHeaders) ?? noSurcharges;
}

/** What conversion carries into other dialects; the rest it refuses or leaves out by itself. */
const carriedKinds: readonly SurchargeKind[] = ["service_tier", "cache_1h"];

/** Those that some channel would send on, so that the hold is the most over all of them. */
export function heldSurcharges(
  asked: readonly Surcharge[],
  serving: readonly Channel[],
  speaks: (settings: ChannelSettings) => boolean,
): readonly Surcharge[] {
  return asked.filter((one) =>
    serving.some(
      ({ settings }) =>
        (isLower(one) || wordFor(settings, one.kind) === "price") &&
        (carriedKinds.includes(one.kind) || speaks(settings)),
    ),
  );
}

/** The request with what it asks for, and whether a vendor's tool reads more into it. */
export function withSurcharges(
  request: TextRequest,
  surcharges: readonly Surcharge[],
  priced: readonly PricedSurcharge[],
): TextRequest {
  const readsMore = priced.some(({ surcharge }) => surcharge.calls?.readsMore === true);
  return { ...request, surcharges, readsMore: readsMore || request.readsMore === true };
}

function wordFor({ surcharges }: ChannelSettings, kind: SurchargeKind): SurchargeWord {
  return surcharges[kind] ?? surcharges.default ?? "price";
}

/** A body in which only those are left that are paid for, each within the bound that is held. */
interface AllowedBody {
  body: JsonObject;
  headers: Headers;
  sent: readonly Surcharge[];
  ignored: readonly string[];
}

interface AskedBody {
  body: JsonObject;
  headers: Headers;
  found: readonly Surcharge[];
}

/** Throws the 400 that names what this channel refuses, or what has no price. */
export function allowSurcharges(
  settings: ChannelSettings,
  { body, headers, found }: AskedBody,
  priced: readonly PricedSurcharge[],
): AllowedBody {
  const sent: Surcharge[] = [];
  const left: Surcharge[] = [];
  for (const surcharge of found) {
    if (isSent(settings, surcharge, priced)) sent.push(surcharge);
    else left.push(surcharge);
  }
  let bounded = body;
  for (const { calls } of sent) {
    for (const path of calls?.bounds ?? []) bounded = withField(bounded, path, callsMaxDefault);
  }
  return {
    body: left.length === 0 ? bounded : leaveOut(bounded, left),
    headers: left.reduce(withoutHeader, headers),
    sent,
    ignored: left.map(({ param }) => param),
  };
}

/** False where it is to be left out. */
function isSent(
  settings: ChannelSettings,
  surcharge: Surcharge,
  priced: readonly PricedSurcharge[],
): boolean {
  if (isLower(surcharge)) return true;
  const { kind, name, param } = surcharge;
  const word = wordFor(settings, kind);
  if (word === "ignore") return false;
  if (word === "refuse") throw invalid(param, "cannot be used: it costs more and is not served");
  if (!priced.some((one) => one.surcharge.name === name)) {
    throw invalid(param, "cannot be used: it costs more and has no price");
  }
  return true;
}

function withoutHeader(headers: Headers, { header }: Surcharge): Headers {
  if (!header) return headers;
  const { [header.name]: values = "", ...others } = headers;
  const left = values.split(",").map((value) => value.trim());
  const kept = left.filter((value) => value !== header.value).join(",");
  return kept === "" ? others : { ...others, [header.name]: kept };
}

/** What a conversion has carried of them, in the client's words. */
export function carriedSurcharges(
  format: Format,
  body: JsonObject,
  asked: readonly Surcharge[],
): readonly Surcharge[] {
  const found = format.surcharges?.find(body, {}) ?? noSurcharges;
  return asked.flatMap((one) => {
    const same = found.find(({ kind }) => kind === one.kind);
    return same ? [{ ...one, paths: same.paths }] : [];
  });
}

/** What a whole reply tells of what was sent. */
export function readUse(side: SurchargeSide, reply: unknown): SurchargeUse {
  const use = new SurchargeUse();
  if (isObject(reply)) side.note(use, reply);
  return use;
}

/** Watches the events of a stream for what was sent. */
export class SurchargeWatch {
  readonly #side: SurchargeSide;
  readonly use = new SurchargeUse();

  constructor(side: SurchargeSide) {
    this.#side = side;
  }

  see(data: string): void {
    const parsed = parseOrNull(data);
    if (isObject(parsed)) this.#side.note(this.use, parsed);
  }

  mustSee(bytes: Uint8Array): boolean {
    const { mark } = this.#side;
    return mark !== undefined && findBytes(bytes, mark) !== -1;
  }
}

/** The same beside the observer that a stream has anyway. */
export class SurchargeObserver implements StreamObserver {
  readonly #observer: StreamObserver;
  readonly #watch: SurchargeWatch;

  constructor(observer: StreamObserver, watch: SurchargeWatch) {
    this.#observer = observer;
    this.#watch = watch;
  }

  skim(bytes: Uint8Array): boolean {
    return !this.#watch.mustSee(bytes) && this.#observer.skim(bytes);
  }

  see(event: SseEvent): Sighting {
    this.#watch.see(event.data);
    return this.#observer.see(event);
  }

  isWhole(): boolean {
    return this.#observer.isWhole();
  }

  observed(): Observed {
    return { ...this.#observer.observed(), use: this.#watch.use };
  }
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
