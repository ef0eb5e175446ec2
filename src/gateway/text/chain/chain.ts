// A virtual model on its way through a request: which members may serve it, in which order, and
// what became of each.
import { assert } from "../../../core/assert.ts";
import type { FallbackReason } from "../../../config/virtual-model.ts";
import type { Channel } from "../../../distribution/channel.ts";
import type { Maker } from "../../../distribution/origins.ts";
import type { ChainLink, VirtualModel } from "../../../distribution/virtual-models.ts";
import type { ChainNotes, MemberFate, MemberNote } from "../../../observe/chain-note.ts";
import type { Candidates } from "../../attempt.ts";
import type { PricedText, TextLeg } from "./text-leg.ts";

/** A member in its place: with its channels and price, or with what keeps it from serving. */
export interface Member {
  link: ChainLink;
  priced: PricedText | null;
  fate: MemberFate;
}

/** The reason the next member is asked, where this one is left out before anything was sent. */
const leftFor: Partial<Readonly<Record<MemberFate, FallbackReason>>> = {
  unserved: "fault",
  unpriced: "fault",
  too_long: "context",
};

export class Chain implements ChainNotes {
  readonly virtual: VirtualModel;
  #members: readonly Member[];
  readonly #legs = new Map<Member, TextLeg>();
  #served: TextLeg | null = null;

  constructor(virtual: VirtualModel, members: readonly Member[]) {
    this.virtual = virtual;
    this.#members = members;
  }

  /** Those that may serve, in their order. */
  get open(): readonly Member[] {
    return this.#members.filter(({ fate }) => fate === "not_needed");
  }

  /** Legs of all open members: where each is asked, and what it may cost. */
  run(legOf: (member: Member, onward: NonNullable<Candidates["onward"]>) => TextLeg): TextLeg {
    for (const member of this.open) {
      const onward = (why: FallbackReason) => this.#onward(member, why)?.candidates ?? null;
      this.#legs.set(member, legOf(member, onward));
    }
    const [opening] = this.#members;
    const first =
      opening?.fate === "not_needed" ? opening : opening && this.#next(opening, reasonOf(opening));
    const [start = first] = first ? [first] : this.open;
    const leg = start && this.#legs.get(start);
    assert(leg, "a chain has a member that may serve");
    return leg;
  }

  /** Whether another member is meant for what this one would be left for. */
  goesOn(candidates: Candidates, why: FallbackReason): boolean {
    const member = this.#memberOf(candidates);
    const behind = this.#members.slice(this.#members.indexOf(member) + 1);
    return behind.some((one) => this.#legs.has(one) && one.link.when.includes(why));
  }

  /** The leg whose channels these are, which is being tried from now on. */
  at(candidates: Candidates): TextLeg {
    const member = this.#memberOf(candidates);
    const leg = this.#legs.get(member);
    assert(leg, "a member that is asked has a leg");
    member.fate = "failed";
    return leg;
  }

  serve(leg: TextLeg): void {
    for (const [member, one] of this.#legs) if (one === leg) member.fate = "served";
    this.#served = leg;
  }

  /** Null until a member serves. */
  get servedLeg(): TextLeg | null {
    return this.#served;
  }

  /**
   * Bind the request to channels: no others serve it then, and the one that made it comes first.
   */
  bind(channels: readonly Channel[], origin: Maker | null): void {
    const serves = ({ priced }: Member, wanted: readonly Channel[]) =>
      priced?.serving.some((channel) => wanted.includes(channel)) === true;
    for (const member of this.open) if (!serves(member, channels)) member.fate = "unserved";
    if (!origin) return;
    const makers = this.open.filter((member) => serves(member, [origin.channel]));
    const maker = makers.find(({ link }) => link.model === origin.model) ?? makers[0];
    if (maker) this.#members = [maker, ...this.#members.filter((member) => member !== maker)];
  }

  get members(): MemberNote[] {
    return this.#members.map(({ link, fate }) => ({ model: link.model, fate }));
  }

  get served(): string | null {
    return this.#members.find(({ fate }) => fate === "served")?.link.model ?? null;
  }

  #memberOf(candidates: Candidates): Member {
    const entry = [...this.#legs].find(([, leg]) => leg.candidates === candidates);
    assert(entry, "candidates are those of a leg");
    return entry[0];
  }

  #onward(member: Member, why: FallbackReason): TextLeg | null {
    if (why === "refused" && member.fate === "failed") member.fate = "refused";
    else if (member.fate === "not_needed") member.fate = "passed";
    const next = this.#next(member, why);
    return (next && this.#legs.get(next)) ?? null;
  }

  #next(last: Member, reason: FallbackReason): Member | null {
    let why = reason;
    for (const member of this.#members.slice(this.#members.indexOf(last) + 1)) {
      if (member.fate === "unaffordable") continue;
      if (!member.link.when.includes(why)) {
        if (member.fate === "not_needed") member.fate = "not_meant";
        continue;
      }
      if (this.#legs.has(member)) return member;
      why = reasonOf(member);
    }
    return null;
  }
}

function reasonOf({ fate }: Member): FallbackReason {
  return leftFor[fate] ?? "fault";
}
