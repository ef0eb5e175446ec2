// Names that stand for several models, in memory: rebuilt as a whole when one changes, read without
// waiting by requests.
import type { ChannelPreference } from "../config/fields.ts";
import {
  reasonsDefault,
  type FallbackReason,
  type VirtualModelInput,
} from "../config/virtual-model.ts";

interface Member {
  model: string;
  weight: number | null;
  when: readonly FallbackReason[];
  windowTokens: number | null;
}

export interface VirtualModel {
  name: string;
  members: readonly Member[];
  /** Charged at the name's own price, whichever member serves. */
  hasOwnPrice: boolean;
  /** Name that replies carry; null for what the gateway does by itself. */
  replyModel: "asked" | "served" | null;
  /** Null where the group of the key says. */
  prefer: ChannelPreference | null;
  isHidden: boolean;
  /** Null: every group. */
  groups: ReadonlySet<string> | null;
}

/** A model in its place within a chain. */
export interface ChainLink {
  model: string;
  when: readonly FallbackReason[];
  windowTokens: number | null;
  /** Name whose price is charged, where that is not the model's own. */
  pricedAs: string | null;
  /** Criterion among its channels of one priority; null where the group says. */
  prefer: ChannelPreference | null;
}

/** A number from 0 up to 1 for each text, by which weights are drawn. */
export type Draw = (text: string) => number;

/** No request asks more models than this, however names are nested. */
const linksMax = 32;

export class VirtualModels {
  #all: ReadonlyMap<string, VirtualModel> = new Map();

  replace(inputs: readonly VirtualModelInput[]): void {
    this.#all = new Map(inputs.map((input) => [input.name, toVirtual(input)]));
  }

  /** Undefined for what is no such name, or not one of the group's. */
  find(name: string, group: string): VirtualModel | undefined {
    if (this.#all.size === 0) return undefined;
    const virtual = this.#all.get(name);
    return virtual && isOpenTo(virtual, group) ? virtual : undefined;
  }

  /** Those that the group may know of. */
  listed(group: string): VirtualModel[] {
    const all = [...this.#all.values()];
    return all.filter((one) => !one.isHidden && isOpenTo(one, group));
  }

  /**
   * The models behind a name, in the order in which they are asked, each once. Of the members that
   * have a weight one is drawn and comes first; the others keep their order behind it. A member of
   * the name's own name is the model that channels serve by it.
   */
  chainOf(virtual: VirtualModel, group: string, draw: Draw): readonly ChainLink[] {
    const links: ChainLink[] = [];
    const pricedAs = virtual.hasOwnPrice ? virtual.name : null;
    const { prefer } = virtual;
    this.#expand({ virtual, group, draw, links }, { pricedAs, prefer, above: [virtual.name] });
    return links;
  }

  #expand(
    { virtual, group, draw, links }: Expansion,
    { pricedAs, prefer, above, when: entered }: Inherited,
  ): void {
    for (const [at, member] of inOrder(virtual, draw).entries()) {
      const { model, windowTokens } = member;
      const when = at === 0 && entered ? entered : member.when;
      const nested = above.includes(model) ? undefined : this.find(model, group);
      if (nested) {
        const priced = pricedAs ?? (nested.hasOwnPrice ? nested.name : null);
        const preferred = prefer ?? nested.prefer;
        const inherited = { pricedAs: priced, prefer: preferred, above: [...above, model], when };
        this.#expand({ virtual: nested, group, draw, links }, inherited);
      } else if (links.length < linksMax && !links.some((link) => link.model === model)) {
        links.push({ model, when, windowTokens, pricedAs, prefer });
      }
    }
  }
}

interface Expansion {
  virtual: VirtualModel;
  group: string;
  draw: Draw;
  links: ChainLink[];
}

interface Inherited {
  pricedAs: string | null;
  prefer: ChannelPreference | null;
  /** Names that this one stands within: one of them again is a model, and no circle. */
  above: readonly string[];
  /** Reasons to enter the name itself, which are those for its first member. */
  when?: readonly FallbackReason[];
}

/** The place of the member by which the name leads back to itself; -1 where none does. */
export function findCircle(
  { name, members }: VirtualModelInput,
  others: readonly VirtualModelInput[],
): number {
  const byName = new Map(others.map((other) => [other.name, other]));
  return members.findIndex(({ model }) => model !== name && reaches(byName, model, name));
}

function reaches(
  byName: ReadonlyMap<string, VirtualModelInput>,
  from: string,
  wanted: string,
): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === wanted) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...(byName.get(name)?.members ?? []).map(({ model }) => model));
  }
  return false;
}

function isOpenTo({ groups }: VirtualModel, group: string): boolean {
  return groups === null || groups.has(group);
}

function toVirtual(input: VirtualModelInput): VirtualModel {
  const { name, members, price, reply_model: replyModel = null, prefer = null } = input;
  const { hidden, groups } = input;
  return {
    name,
    members: members.map(({ model, weight = null, when, window_tokens: windowTokens = null }) => ({
      model,
      weight,
      when: when ?? reasonsDefault,
      windowTokens,
    })),
    hasOwnPrice: price === "own",
    replyModel,
    prefer,
    isHidden: hidden === true,
    groups: groups ? new Set(groups) : null,
  };
}

/** Weighted rendezvous hashing: a weight that changes moves no more conversations than it must. */
function inOrder({ name, members }: VirtualModel, draw: Draw): readonly Member[] {
  let first: Member | null = null;
  let best = 0;
  for (const member of members) {
    if (member.weight === null) continue;
    const score = member.weight / -Math.log1p(-draw(`${name} ${member.model}`));
    if (first !== null && score <= best) continue;
    [first, best] = [member, score];
  }
  if (first === null) return members;
  const drawn = first;
  return [drawn, ...members.filter((member) => member !== drawn)];
}
