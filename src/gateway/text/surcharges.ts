// The handling of things a request asks for beyond its tokens, channel by channel: each is priced,
// refused, or left out and told.
import { findBytes, type SseEvent } from "../../core/sse.ts";
import { invalid } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { SurchargeWord } from "../../config/surcharge-rules.ts";
import type { Channel, ChannelSettings } from "../../distribution/channel.ts";
import type {
  Format,
  Observed,
  Sighting,
  StreamObserver,
  TextRequest,
} from "../../formats/format.ts";
import { withFields } from "../../formats/kit/field-paths.ts";
import { leaveOut } from "../../formats/kit/surcharges.ts";
import {
  callsMaxDefault,
  isLower,
  noSurcharges,
  surchargeKey,
  SurchargeUse,
  type Surcharge,
  type SurchargeKind,
  type SurchargeSide,
} from "../../formats/surcharge.ts";
import { readingsOf, type PricedSurcharge } from "../../quota/surcharge-price.ts";
import type { Usage } from "../../formats/usage.ts";
import type { TextInput } from "./text-job.ts";

type Headers = Readonly<Record<string, string>>;

export function findSurcharges(
  { format, body, wireHeaders }: Pick<TextInput, "format" | "body" | "wireHeaders">,
  { hourMarks }: TextRequest,
): readonly Surcharge[] {
  if (!format.surcharges) return noSurcharges;
  const inBody = format.surcharges.find(body, wireHeaders);
  if (!hourMarks) return inBody;
  const [first = []] = hourMarks;
  const others = inBody.filter(({ kind }) => kind !== "cache_1h");
  const param = first.join(".");
  return [...others, { kind: "cache_1h", name: "cache_1h", param, paths: hourMarks }];
}

/**
 * Kinds that conversion carries into other dialects; the rest it refuses or leaves out by itself.
 */
const carriedKinds: readonly SurchargeKind[] = ["service_tier", "cache_1h"];

/** The format a channel speaks: null where it is the client's own. */
type Foreign = (settings: ChannelSettings) => Format | null;

/** Those that some channel would send on, so that the hold is the most over all of them. */
export function heldSurcharges(
  askedFor: readonly Surcharge[],
  { model }: TextRequest,
  { serving, foreign }: { serving: readonly Channel[]; foreign: Foreign },
): readonly Surcharge[] {
  const held = askedFor.filter((one) =>
    serving.some(
      ({ settings }) =>
        (isLower(one) || wordFor(settings, one.kind) === "price") &&
        (carriedKinds.includes(one.kind) || foreign(settings) === null),
    ),
  );
  const search = askedFor.find((one) => one.search);
  if (!search) return held;
  const carried = serving
    .filter(({ settings }) => wordFor(settings, search.kind) === "price")
    .flatMap((channel) => {
      const wire = foreign(channel.settings);
      return wire ? carriedSearch(search, wire, channel.upstreamModel(model)) : [];
    });
  const keys = new Set(held.map(surchargeKey));
  const more = carried.filter((one) => keys.size < keys.add(surchargeKey(one)).size);
  return [...held, ...more];
}

/** The search of the client's wire, said on another one. */
function carriedSearch({ search, param }: Surcharge, wire: Format, model: string): Surcharge[] {
  const inBody = search ? (wire.surcharges?.search?.(search, model) ?? []) : [];
  return inBody.map((one) => ({ ...one, param, wire: wire.name }));
}

/** The request with what it asks for, and how often a vendor's tools may read more into it. */
export function withSurcharges(
  request: TextRequest,
  surcharges: readonly Surcharge[],
  priced: readonly PricedSurcharge[],
): TextRequest {
  return { ...request, surcharges, readings: readingsOf(priced) };
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
  /** Bounds on the calls of tools that the client did not name, each with its value. */
  added: readonly string[];
}

interface AskedBody {
  body: JsonObject;
  headers: Headers;
  found: readonly Surcharge[];
}

/** Throws the 400 that names what this channel refuses, or what has no price. */
export function allowSurcharges(
  settings: ChannelSettings,
  { body, headers, found: inBody }: AskedBody,
  priced: readonly PricedSurcharge[],
): AllowedBody {
  if (inBody.length === 0) return { body, headers, sent: inBody, ignored: [], added: [] };
  const sent: Surcharge[] = [];
  const left: Surcharge[] = [];
  const pricedKeys = new Set(priced.map(({ surcharge }) => surchargeKey(surcharge)));
  for (const surcharge of inBody) {
    if (isSent(settings, surcharge, pricedKeys)) sent.push(surcharge);
    else left.push(surcharge);
  }
  const bounds = sent.flatMap(({ calls }) => calls?.bounds ?? []);
  const bounded = withFields(body, bounds, callsMaxDefault);
  const added = new Set(bounds.map((path) => `${path.join(".")}=${callsMaxDefault}`));
  return {
    body: left.length === 0 ? bounded : leaveOut(bounded, left),
    headers: withoutHeaders(headers, left),
    sent,
    ignored: left.map(({ param }) => param),
    added: [...added],
  };
}

/** False where it is to be left out. */
function isSent(
  settings: ChannelSettings,
  askedFor: Surcharge,
  pricedKeys: ReadonlySet<string>,
): boolean {
  if (isLower(askedFor)) return true;
  const { kind, param } = askedFor;
  const word = wordFor(settings, kind);
  if (word === "ignore") return false;
  if (word === "refuse") throw invalid(param, "cannot be used: it costs more and is not served");
  if (!pricedKeys.has(surchargeKey(askedFor))) {
    throw invalid(param, "cannot be used: it costs more and has no price");
  }
  return true;
}

function withoutHeaders(headers: Headers, left: readonly Surcharge[]): Headers {
  const valuesByName = new Map<string, Set<string>>();
  for (const { header } of left) {
    if (!header) continue;
    const values = valuesByName.get(header.name) ?? new Set();
    valuesByName.set(header.name, values.add(header.value));
  }
  if (valuesByName.size === 0) return headers;
  const rest = Object.entries(headers).flatMap(([name, list]): [string, string][] => {
    const leftOut = valuesByName.get(name);
    if (!leftOut) return [[name, list]];
    const kept = list.split(",").map((value) => value.trim());
    const text = kept.filter((value) => !leftOut.has(value)).join(",");
    return text === "" ? [] : [[name, text]];
  });
  return Object.fromEntries(rest);
}

/** Surcharges that a conversion has carried, in the client's words. */
export function carriedSurcharges(
  format: Format,
  body: JsonObject,
  askedFor: readonly Surcharge[],
): readonly Surcharge[] {
  if (askedFor.length === 0) return noSurcharges;
  const inBody = format.surcharges?.find(body, {}) ?? noSurcharges;
  const carried = askedFor.flatMap((one) => {
    if (!carriedKinds.includes(one.kind)) return [];
    const same = inBody.find(({ kind }) => kind === one.kind);
    return same ? [{ ...one, paths: same.paths }] : [];
  });
  // A search is the only one carried of the tools that vendors run.
  const search = askedFor.find((one) => one.search);
  if (!search) return carried;
  const searches = inBody.filter(({ kind }) => kind === "hosted_tools");
  const { param } = search;
  return [...carried, ...searches.map((one) => ({ ...one, param, wire: format.name }))];
}

/** Use that a whole reply tells of the surcharges sent. */
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

  get ending(): Uint8Array | undefined {
    return this.#observer.ending;
  }

  isEmpty(): boolean {
    return this.#observer.isEmpty();
  }

  unstored(): JsonObject | null {
    return this.#observer.unstored?.() ?? null;
  }

  lacksUsage(): boolean {
    return this.#observer.lacksUsage?.() ?? false;
  }

  endWithUsage(endEvents: readonly SseEvent[], usage: Usage): SseEvent[] {
    return this.#observer.endWithUsage?.(endEvents, usage) ?? [...endEvents];
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
