// Gives the calls of a reply the names under which the client declared its tools.
import { isObject, type JsonObject } from "../../../core/json.ts";
import type { CallPart } from "../../exchange.ts";
import { listOf } from "../read.ts";
import { type Offer, readOffers } from "./offer.ts";
import { toSearchItem } from "./search.ts";

export class CallNames {
  readonly #body: JsonObject;
  #read: ReadonlyMap<string, Offer> | null = null;

  constructor(body: JsonObject) {
    this.#body = body;
  }

  /** Most replies have no call, and need none of them. */
  get #offers(): ReadonlyMap<string, Offer> {
    return (this.#read ??= readSpecial(this.#body));
  }

  /** The prefix of the id of a call's item. */
  prefixOf({ name, isCustom }: Pick<CallPart, "name" | "isCustom">): string {
    if (this.isSearch(name)) return "tsc";
    return isCustom ? "ctc" : "fc";
  }

  isSearch(name: string): boolean {
    return this.#offers.get(name)?.kind === "search";
  }

  /** A call's item as the client wants to read it. */
  restore(item: JsonObject): JsonObject {
    const offer = this.#offers.get(String(item["name"]));
    if (!offer) return item;
    if (offer.kind === "search") return toSearchItem(item);
    return { ...item, name: offer.ownName, namespace: offer.namespace };
  }
}

/** Offers by flat name, those that are not simply called so. */
function readSpecial({ tools, input }: JsonObject): Map<string, Offer> {
  const offers = new Map<string, Offer>();
  const lists = listOf(input).flatMap((item) => (isObject(item) ? [item["tools"]] : []));
  for (const offer of [tools, ...lists].flatMap((list) => readOffers(list, "tools", []))) {
    if (offer.namespace !== null || offer.kind === "search") offers.set(offer.name, offer);
    else offers.delete(offer.name);
  }
  return offers;
}
