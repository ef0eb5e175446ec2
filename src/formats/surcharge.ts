// Things a request may ask for that cost more than its tokens: tools that the vendor runs, and
// surcharges on the tokens themselves. Each format finds its own.
import type { JsonObject } from "../core/json.ts";

/** Kinds that a channel decides about. */
export type SurchargeKind =
  | "hosted_tools"
  | "service_tier"
  | "speed"
  | "inference_geo"
  | "long_context"
  | "cache_1h"
  | "audio";

export type FieldPath = readonly (string | number)[];

export interface Surcharge {
  kind: SurchargeKind;
  /** The name of its price: a tool, or a kind with the value that was asked for. */
  name: string;
  /** The client's field, for who is told about it. */
  param: string;
  /** Paths taken out of the body where it is to be left out. */
  paths: readonly FieldPath[];
  /** A value of a header that lists several, which goes with it. */
  header?: { name: string; value: string };
  /** Calls of a tool. */
  calls?: ToolCalls;
  /** The search, where it is one of the web, which other wires have as well. */
  search?: AskedSearch;
  /** The format of the wire that it goes by, where that is not the client's own. */
  wire?: string;
}

/**
 * Facts that decide whether another wire can carry a search, and how often it may be made there.
 */
export interface AskedSearch {
  /** Null where the client names no bound. */
  usesMax: number | null;
  /** No tools of the client's own are offered beside it. */
  isAlone: boolean;
}

/** Alike for two that cost the same: what is carried to another wire is another thing there. */
export function surchargeKey({ name, wire = "" }: Surcharge): string {
  return `${wire} ${name}`;
}

export interface ToolCalls {
  /** The most there can be. */
  max: number;
  /**
   * Paths of a bound that the client has not named and the vendor takes: the default is written
   * there.
   */
  bounds?: readonly FieldPath[];
  /** The bound is one for all tools that have it. */
  isShared?: boolean;
  /** Under which names the replies count them; none where they do not. */
  counted: readonly string[];
  /** True where the model reads their results, billed as input, with all before it at each call. */
  readsMore: boolean;
  /** The most readings by the vendor's word, whatever the calls: for all tools of a request. */
  readingsMax?: number;
}

export const noSurcharges: readonly Surcharge[] = [];

/** The name under which replies count spoken output. */
export const spokenTokens = "audio";

/** Calls a tool may get where the client names no bound. */
export const callsMaxDefault = 10;

/** Values that nobody pays more for. */
const plainValues: ReadonlySet<string> = new Set([
  ...["auto", "default", "standard", "standard_only", "flex", "batch", "on_demand"].map(
    (value) => `service_tier.${value}`,
  ),
  // Paid for by the hour, whoever uses it.
  "service_tier.provisioned_throughput",
  "speed.standard",
  "inference_geo.global",
  "inference_geo.not_available",
]);

export function isPlain(kind: SurchargeKind, value: string): boolean {
  return value === "" || plainValues.has(valueName(kind, value));
}

/** Served later and for less: nobody pays more for it, and a price may say how much less. */
const lowerNames: ReadonlySet<string> = new Set(["service_tier.flex", "service_tier.batch"]);

export function isLower({ name }: Pick<Surcharge, "name">): boolean {
  return lowerNames.has(name);
}

export function valueName(kind: SurchargeKind, value: string): string {
  return `${kind}.${value.toLowerCase()}`;
}

/** A reply's word on the things asked for, gathered from a whole one or event by event. */
export class SurchargeUse {
  readonly #calls = new Map<string, number>();
  readonly #values = new Map<SurchargeKind, string>();

  /** The vendor's own count of all so far, which comes before what was seen. */
  tell(name: string, calls: number): void {
    this.#calls.set(name, calls);
  }

  /** One more call passed by. */
  see(name: string): void {
    this.#calls.set(name, (this.#calls.get(name) ?? 0) + 1);
  }

  /** Note the value given in place of the one asked for, which may be the same. */
  give(kind: SurchargeKind, value: unknown): void {
    if (typeof value === "string") this.#values.set(kind, value);
  }

  get hasCalls(): boolean {
    for (const calls of this.#calls.values()) if (calls > 0) return true;
    return false;
  }

  /** Null where the reply says nothing of it. */
  countOf(name: string): number | null {
    return this.#calls.get(name) ?? null;
  }

  callsOf(names: readonly string[]): number {
    let calls = 0;
    for (const name of names) calls += this.countOf(name) ?? 0;
    return calls;
  }

  /** Null where the reply says nothing of it. */
  given(kind: SurchargeKind): string | null {
    return this.#values.get(kind) ?? null;
  }
}

/** Knowledge of a format about the surcharges of its wire. */
export interface SurchargeSide {
  find(body: JsonObject, headers: Readonly<Record<string, string>>): readonly Surcharge[];
  /** Takes note of a whole reply, or of one event of a stream. */
  note(use: SurchargeUse, body: JsonObject): void;
  /** A search from another wire, as it is here; nothing where the model has none. */
  search?(wish: AskedSearch, model: string): readonly Surcharge[];
  /** A name in an event that must be read, although it looks like plain content. */
  mark?: Uint8Array;
}
