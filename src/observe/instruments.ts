// Counters and histograms. A child of a family is found once and then kept by who counts, so that
// an observation is an addition. Label values are bounded: past the cap they become "other".
import { assert } from "../core/assert.ts";

export interface Label {
  name: string;
  /** Most values that are told apart. */
  valuesMax: number;
}

const otherValue = "other";

export class Counter {
  #value = 0;

  get value(): number {
    return this.#value;
  }

  /** Anything but a positive number is ignored: a counter never goes back and is never NaN. */
  add(by: number = 1): void {
    if (by > 0 && by < Number.POSITIVE_INFINITY) this.#value += by;
  }
}

export class Histogram {
  readonly bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;

  /** The bounds are the upper, inclusive ends of the buckets, in rising order. */
  constructor(bounds: readonly number[]) {
    const isRising = bounds.every((bound, at) => at === 0 || bound > (bounds[at - 1] ?? bound));
    assert(isRising, "the bounds of a histogram must rise");
    this.bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  get sum(): number {
    return this.#sum;
  }

  /** Number of values up to each bound, and last of all there were. */
  get cumulative(): number[] {
    let total = 0;
    return Array.from(this.#counts, (count) => (total += count));
  }

  /** A value that is negative or not a finite number is ignored. */
  observe(value: number): void {
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) return;
    const { bounds } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? 0)) at++;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
  }
}

interface FamilyMember<Child> {
  values: readonly string[];
  child: Child;
}

/** The members whose first values are the same; a leaf has no further ones. */
interface Branch<Child> {
  member: FamilyMember<Child> | null;
  readonly branches: Map<string, Branch<Child>>;
}

/** The children of one metric, by the values of its labels. */
export class Family<Child> {
  readonly labels: readonly Label[];
  readonly #create: () => Child;
  readonly #known: readonly Set<string>[];
  readonly #root: Branch<Child> = { member: null, branches: new Map() };
  readonly #members: FamilyMember<Child>[] = [];

  constructor(labels: readonly Label[], create: () => Child) {
    this.labels = labels;
    this.#create = create;
    this.#known = labels.map(() => new Set());
  }

  /** The child for these values, one for each label in order. */
  with(...values: readonly string[]): Child {
    let branch: Branch<Child> | undefined = this.#root;
    for (const value of values) branch = branch?.branches.get(value);
    return (branch?.member ?? this.#add(values)).child;
  }

  members(): readonly FamilyMember<Child>[] {
    return this.#members;
  }

  #add(values: readonly string[]): FamilyMember<Child> {
    assert(values.length === this.labels.length, "one value for each label");
    const bounded = values.map((value, at) => this.#bound(value, at));
    let branch = this.#root;
    for (const value of bounded) {
      let next = branch.branches.get(value);
      if (!next) branch.branches.set(value, (next = { member: null, branches: new Map() }));
      branch = next;
    }
    if (branch.member) return branch.member;
    const member = { values: bounded, child: this.#create() };
    branch.member = member;
    this.#members.push(member);
    return member;
  }

  #bound(value: string, at: number): string {
    const [seen, label] = [this.#known[at], this.labels[at]];
    if (seen === undefined || label === undefined || value === otherValue) return otherValue;
    if (seen.has(value)) return value;
    if (seen.size >= label.valuesMax) return otherValue;
    seen.add(value);
    return value;
  }
}
