// The price list in memory: the operator's rows first, then the catalogue's.
import { Catalogue } from "../catalogue/catalogue.ts";
import { noPrice, type ListedPrice } from "../catalogue/model.ts";
import { alwaysSearches, listedToolMicros, ownSearchName } from "../catalogue/surcharges.ts";
import type { Surcharge } from "../formats/surcharge.ts";
import type { ChannelCost } from "../config/price-parts.ts";
import { systemClock, type Clock } from "../core/clock.ts";
import { GatewayError } from "../core/errors.ts";
import { zeroMicros } from "../core/money.ts";
import { snapshotMedia, type MediaFacts, type MediaPrice } from "./media-price.ts";
import { snapshotPrice, type PriceSnapshot } from "./price.ts";
import { HourlyPrice } from "./hours/price-hours.ts";
import { toListedPrice } from "./price-rows.ts";
import { showPrice, type ShownPrice } from "./shown-price.ts";
import { freeSurcharge, longContextOf, priceSurcharge } from "./surcharge-price.ts";

interface CostMoment {
  surcharges: readonly Surcharge[];
  /** Now, where it is left out. */
  atMs?: number;
}

const partsPerOne = 1_000_000;
const partsPerPercent = 10_000;

export class Prices {
  readonly #unpriced: "refuse" | "free";
  readonly #catalogue: Catalogue;
  #own: ReadonlyMap<string, ListedPrice> = new Map();
  /** Snapshots by multiplier and model. */
  readonly #snapshots = new Map<number, Map<string, PriceSnapshot>>();
  readonly #clock: Pick<Clock, "nowMs">;
  /** Those that go by the hour. */
  #hourly: ReadonlyMap<string, HourlyPrice> = new Map();
  /** Snapshots by a channel's own cost, and model. */
  #costs = new WeakMap<ChannelCost, Map<string, PriceSnapshot>>();

  constructor(
    unpriced: "refuse" | "free",
    catalogue: Catalogue = new Catalogue(),
    clock: Pick<Clock, "nowMs"> = systemClock,
  ) {
    this.#unpriced = unpriced;
    this.#catalogue = catalogue;
    this.#clock = clock;
  }

  /** After the catalogue has changed as well. */
  replace(own: ReadonlyMap<string, ListedPrice>): void {
    this.#own = own;
    const hourly = [...own].flatMap(([model, price]): [string, HourlyPrice][] =>
      price.hours ? [[model, new HourlyPrice(price, price.hours)]] : [],
    );
    this.#hourly = new Map(hourly);
    this.#costs = new WeakMap();
    this.#snapshots.clear();
  }

  /** The most that the operator says the model answers; null where only its name tells. */
  outputTokensMax(model: string): number | null {
    return this.#listed(model)?.outputTokensMax ?? null;
  }

  /** True when text of the model can be charged for. */
  isTextPriced(model: string): boolean {
    return this.#unpriced === "free" || hasTextPrice(this.#listed(model));
  }

  /** True when the model has a price of its own for text. */
  isTextListed(model: string): boolean {
    return hasTextPrice(this.#listed(model));
  }

  /** True when videos of the model, which may have several names, can be charged for. */
  isVideoPriced(names: readonly string[]): boolean {
    const listed = this.#listedFirst(names);
    const amount = listed?.secondMicros ?? listed?.callMicros ?? null;
    return this.#unpriced === "free" || amount !== null;
  }

  /** True when images of the model can be charged for. */
  isImagePriced(names: readonly string[]): boolean {
    const { imageMicros, callMicros, inputMicrosPerMillion, outputMicrosPerMillion } =
      this.#listedFirst(names) ?? noPrice;
    const hasTokens = inputMicrosPerMillion !== null && outputMicrosPerMillion !== null;
    return this.#unpriced === "free" || (imageMicros ?? callMicros) !== null || hasTokens;
  }

  /** The price of the model now; throws when it has none, because unpriced is never free. */
  snapshot(model: string, multiplierPpm: number): PriceSnapshot {
    if (this.#hourly.size > 0 && this.#hourly.has(model)) {
      return snapshotPrice(withSearch(model, this.#listed(model) ?? noPrice), multiplierPpm);
    }
    let snapshots = this.#snapshots.get(multiplierPpm);
    if (!snapshots) this.#snapshots.set(multiplierPpm, (snapshots = new Map()));
    const known = snapshots.get(model);
    if (known) return known;
    const listed = this.#listed(model);
    if (!hasTextPrice(listed) && this.#unpriced === "refuse") {
      throw notPriced();
    }
    const snapshot = snapshotPrice(withSearch(model, listed ?? noPrice), multiplierPpm);
    snapshots.set(model, snapshot);
    return snapshot;
  }

  /** The same with the surcharges that a request asks for, as far as they have a price. */
  surcharged(
    model: string,
    multiplierPpm: number,
    askedFor: readonly Surcharge[],
    atMs = this.#clock.nowMs(),
  ): PriceSnapshot {
    if (askedFor.length === 0 && !this.#hourly.has(model)) {
      return this.snapshot(model, multiplierPpm);
    }
    const listed = this.#listed(model, atMs) ?? noPrice;
    if (!hasTextPrice(listed) && this.#unpriced === "refuse") throw notPriced();
    return this.#priced(model, listed, multiplierPpm, askedFor);
  }

  /** A vendor's price for the model: the one its channel says, or a share of the list price. */
  cost(model: string, says: ChannelCost, at: CostMoment): PriceSnapshot {
    const { surcharges, atMs } = at;
    const isPlain = surcharges.length === 0 && !this.#hourly.has(model);
    let costs = this.#costs.get(says);
    if (!costs) this.#costs.set(says, (costs = new Map()));
    const known = isPlain ? costs.get(model) : undefined;
    if (known) return known;
    const own = says.prices?.find((price) => price.model === model);
    const shipped = this.#catalogue.find(model)?.price;
    const listed = hasTextPrice(shipped) ? shipped : this.#listed(model, atMs);
    const price = own ? toListedPrice(own) : (listed ?? noPrice);
    const ppm = own ? partsPerOne : (says.percent ?? 100) * partsPerPercent;
    const snapshot = this.#priced(model, price, ppm, surcharges);
    if (isPlain) costs.set(model, snapshot);
    return snapshot;
  }

  #priced(
    model: string,
    listed: ListedPrice,
    multiplierPpm: number,
    askedFor: readonly Surcharge[],
  ): PriceSnapshot {
    const listing = { listed, shipped: this.#catalogue.find(model)?.price, multiplierPpm };
    const isFree = this.#unpriced === "free" && !hasTextPrice(listed);
    const surcharges = askedFor.flatMap((one) =>
      isFree || isOwnSearch(model, one) ? freeSurcharge(one) : (priceSurcharge(one, listing) ?? []),
    );
    const longContext = longContextOf(listed, surcharges);
    return snapshotPrice(withSearch(model, listed), multiplierPpm, { longContext, surcharges });
  }

  /**
   * The price of an answer in which a model draws: its pictures, as they cost elsewhere. Null where
   * its tokens have a price, by which they are charged, or where nothing has one.
   */
  drawn(
    names: readonly string[],
    facts: MediaFacts,
    { multiplierPpm, held }: { multiplierPpm: number; held: number },
  ): PriceSnapshot | null {
    const listed = this.#listedFirst(names) ?? noPrice;
    const media = snapshotMedia(listed, facts, { kind: "image", multiplierPpm });
    if (!media || media.tokens) return null;
    const { callMicros } = listed;
    const price = snapshotPrice({ ...noPrice, callMicros }, multiplierPpm);
    const images = { micros: media.imageMicros, held };
    return { ...price, images, text: `${price.text} image=${images.micros}` };
  }

  /**
   * The price of the model's media now; throws when it has none. The first of several names that
   * the operator has priced counts, and only then the listed one.
   */
  media(
    names: readonly string[],
    facts: MediaFacts,
    mediaFacts: { kind: "image" | "video"; multiplierPpm: number },
  ): MediaPrice {
    const listed = this.#listedFirst(names) ?? noPrice;
    const snapshot = snapshotMedia(listed, facts, mediaFacts);
    if (snapshot) {
      const atList = { ...mediaFacts, multiplierPpm: partsPerOne };
      const shipped = this.#catalogue.find(names.find((name) => this.#catalogue.find(name)) ?? "");
      const list =
        snapshotMedia(shipped?.price ?? noPrice, facts, atList) ??
        snapshotMedia(listed, facts, atList);
      return list ? { ...snapshot, list } : snapshot;
    }
    if (this.#unpriced === "free") return freeMedia;
    throw notPriced();
  }

  /** Somebody's price for the model, for reading; null where it has none. */
  shown(names: readonly string[], multiplierPpm: number): ShownPrice | null {
    const model = this.#firstKnown(names);
    const listed = model === undefined ? undefined : this.#listed(model);
    if (!model || !listed) return null;
    const plain = this.#own.get(model) ?? listed;
    const shown = showPrice(plain, multiplierPpm);
    return plain.hours ? { ...shown, now: showPrice(listed, multiplierPpm) } : shown;
  }

  #listedFirst(names: readonly string[]): ListedPrice | undefined {
    const known = this.#firstKnown(names);
    return known === undefined ? undefined : this.#listed(known);
  }

  #firstKnown(names: readonly string[]): string | undefined {
    const own = names.find((name) => this.#own.has(name));
    return own ?? names.find((name) => this.#catalogue.find(name));
  }

  /** The price as it is at a moment. */
  #listed(model: string, atMs = this.#clock.nowMs()): ListedPrice | undefined {
    const hourly = this.#hourly.get(model);
    return hourly?.at(atMs) ?? this.#own.get(model) ?? this.#catalogue.find(model)?.price;
  }
}

function notPriced(): GatewayError {
  return new GatewayError("model_not_priced", { param: "model" });
}

const freeMedia: MediaPrice = {
  secondMicros: zeroMicros,
  imageMicros: zeroMicros,
  callMicros: zeroMicros,
};

/** A price that names only pictures or seconds says nothing of text. */
function hasTextPrice(price: ListedPrice | undefined): boolean {
  return price !== undefined && (price.inputMicrosPerMillion ?? price.callMicros) !== null;
}

/** A request that asks for the search explicitly does not search twice. */
function isOwnSearch(model: string, { name }: Surcharge): boolean {
  return name === ownSearchName && alwaysSearches(model);
}

/** A search before every answer is part of the call, unless the price names what a call costs. */
function withSearch(model: string, listed: ListedPrice): ListedPrice {
  if (!alwaysSearches(model) || listed.callMicros !== null || !hasTextPrice(listed)) return listed;
  const { [ownSearchName]: own } = listed.toolMicros ?? {};
  return { ...listed, callMicros: own ?? listedToolMicros.get(ownSearchName) ?? 0 };
}
