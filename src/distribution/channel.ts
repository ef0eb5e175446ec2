// A channel as the gateway runs it: what was configured, and how it is doing.
import type { SurchargeRules } from "../config/surcharge-rules.ts";
import type { ChannelCost } from "../config/price-parts.ts";
import type { ChannelAuthor } from "../core/pass/credential-rules.ts";
import type { VendorFields } from "../core/pass/vendor-fields.ts";
import { Speeds } from "./speeds.ts";
import type { Clock } from "../core/clock.ts";
import type { ChannelId } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import { credentialName } from "../core/pass/credential.ts";
import type { Transport } from "../core/outbound.ts";
import type { HeldGrants } from "../core/pass/pass.ts";
import type { UpstreamDialect } from "../formats/exchange.ts";
import { DaySpend } from "./day-spend.ts";
import type { Doubt } from "./doubt.ts";
import { CostHistory } from "./cost-history.ts";
import { Health, type HealthRules } from "./health.ts";
import type { KeyRests } from "./key-rests.ts";
import { LowReports } from "./low-reports.ts";
import { ChannelRates, type RateRules } from "./rates.ts";

export interface ChannelKey {
  position: number;
  text: string;
  isEnabled: boolean;
  /** Absent until a vendor has called it busy. */
  rests?: KeyRests;
  /** Absent until a vendor has refused it without a clear word. */
  doubt?: Doubt;
  /** Absent until it was used; the same one over changes of settings. */
  load?: { inFlight: number };
  /** Absent where its vendor takes any. */
  rates?: ChannelRates;
  /** Absent until it was exchanged or has signed; the same one over changes of settings. */
  grants?: HeldGrants;
}

/** A key is wanted for a model, which may have several names. */
export interface KeyAsk {
  names: readonly string[];
  tried: { keys: readonly ChannelKey[] };
  nowMs: number;
}

/** Null where the gateway's own hold. */
interface ChannelTimeouts {
  firstByteMs: number | null;
  stallMs: number | null;
  totalMs: number | null;
}

export interface ChannelSettings {
  id: ChannelId;
  name: string;
  type: string;
  /** The text dialect that the upstream is spoken to in; null for the one of its type. */
  format: UpstreamDialect | null;
  baseUrl: string;
  /** Facts that a cloud has to know besides; absent where its type asks for nothing. */
  vendor?: VendorFields | undefined;
  models: readonly string[];
  groups: readonly string[];
  priority: number;
  weight: number;
  modelMapping: Readonly<Record<string, string>>;
  parametersSet: Readonly<JsonObject>;
  parametersRemoved: readonly string[];
  headers: Readonly<Record<string, string>>;
  dropStore: boolean;
  /** Rules for things that cost more than their tokens. */
  surcharges: SurchargeRules;
  concurrency: number | null;
  /** Absent where its vendor takes any. */
  rates?: RateRules | undefined;
  /** The same for each of its keys. */
  keyRates?: RateRules | undefined;
  /** At cost prices; absent where any may be spent. */
  spendPerDayMicros?: number | undefined;
  timeouts: ChannelTimeouts;
  keys: ChannelKey[];
  transport: Transport;
  /** The vendor may be on this machine or network. */
  allowPrivate: boolean;
  /** The last one to set its address or its keys; absent for one of the built-in vendors. */
  author?: ChannelAuthor;
  /** A rule that its stored fields break: where it is stopped, none of its keys is used. */
  fault?: { message: string; isStopped: boolean };
  /** True where its users may name anything that the vendor keeps: all of it is theirs. */
  allowObjects: boolean;
  /** Tokens that its vendor puts before each prompt, unseen, and counts. */
  hiddenPromptTokens: number;
  /** The vendor's prices. */
  cost: ChannelCost;
  /** Callers may choose among the vendor's own models and providers. */
  allowRouting: boolean;
  /** A conversation stays on one of its keys, where its prompt cache is. */
  affinity: boolean;
  /** Only the root account reaches it, whatever group its key is in. */
  isForRoot?: true;
  /** The sandbox's key is everyone's: what one rehearses with it must not take it from the rest. */
  keepsKeys: boolean;
}

/** The last fault on a channel. */
export interface ChannelFailure {
  code: string;
  /** The vendor's words, without its key. */
  words: string;
  /** The vendor's status; null where it did not answer. */
  status: number | null;
  /** Time by the monotonic clock. */
  atMs: number;
}

/** Budgets of a channel, as far as it is chosen by them. */
export interface ChannelBudgets {
  /** Time from which it may be spent again, 0 where it may now, infinite where time brings none. */
  spentUntilMs(nowMs: number): number;
  count(costMicros: number): void;
}

export class Channel {
  settings: ChannelSettings;
  readonly health: Health;
  readonly speeds = new Speeds();
  /** Null where there are none, so that nothing is asked of them. */
  rates: ChannelRates | null = null;
  /** The same. */
  spend: DaySpend | null = null;
  /** The same. */
  budgets: ChannelBudgets | null = null;
  inFlight = 0;
  /** Times its vendor told of a usage that cannot be, since the start. */
  implausible = 0;
  /** Models that its vendor reports far too little output of. */
  readonly lowReports = new LowReports();
  /** It stays when the channel is well again. */
  lastFailure: ChannelFailure | null = null;
  #turn = 0;

  readonly #liveNodes: () => number;
  #costs = new CostHistory();

  constructor(settings: ChannelSettings, rules: HealthRules, liveNodes: () => number = () => 1) {
    this.settings = settings;
    this.health = new Health(rules);
    this.#liveNodes = liveNodes;
    this.#limit(settings);
  }

  /** The vendor's prices as they were for what was admitted at the moment. */
  costAt(atMs: number): ChannelCost {
    return this.#costs.find(atMs, this.settings.cost);
  }

  /** Goes on for one that was told another address, and is another channel since. */
  inheritCosts(before: Channel, nowMs: number): void {
    this.#costs = before.#costs;
    this.#costs.replace(before.settings.cost, this.settings.cost, nowMs);
  }

  /** Takes new settings without forgetting how the channel is doing. */
  update(next: ChannelSettings, nowMs: number = 0): void {
    this.#costs.replace(this.settings.cost, next.cost, nowMs);
    const before = new Map(this.settings.keys.map((key) => [key.text, key]));
    for (const key of next.keys) {
      const { rests, doubt, load, rates, grants } = before.get(key.text) ?? {};
      if (rests) key.rests = rests;
      if (doubt) key.doubt = doubt;
      if (load) key.load = load;
      if (rates) key.rates = rates;
      if (grants) key.grants = grants;
    }
    this.settings = next;
    this.#limit(next);
  }

  #limit({ rates, keyRates, keys, spendPerDayMicros }: ChannelSettings): void {
    this.rates = this.#limited(this.rates, rates);
    for (const key of keys) {
      const own = this.#limited(key.rates ?? null, keyRates);
      if (own) key.rates = own;
      else delete key.rates;
    }
    if (spendPerDayMicros === undefined) this.spend = null;
    else if (this.spend) this.spend.update(spendPerDayMicros);
    else this.spend = new DaySpend(spendPerDayMicros);
  }

  /** The same ones under new rules, so that what was taken stays taken. */
  #limited(before: ChannelRates | null, rules: RateRules | undefined): ChannelRates | null {
    if (!rules) return null;
    if (!before) return new ChannelRates(rules, this.#liveNodes);
    before.update(rules);
    return before;
  }

  /** Each node may have its share of the places, rounded up. */
  get isSaturated(): boolean {
    const { concurrency } = this.settings;
    return concurrency !== null && this.inFlight >= Math.ceil(concurrency / this.#liveNodes());
  }

  /** No place is free, or it has to wait for a minute or a day to pass. */
  isFull(nowMs: number): boolean {
    return this.isSaturated || this.fullUntilMs(nowMs) > nowMs;
  }

  /**
   * Time until which its rates and what may be spent leave no room; not to come where neither is in
   * the way.
   */
  fullUntilMs(nowMs: number): number {
    const ratesMs = this.rates === null ? 0 : nowMs + this.rates.waitMs(nowMs);
    return Math.max(ratesMs, this.spentUntilMs(nowMs));
  }

  /** Time until which its money is spent: its cap of the day, and its budgets. */
  spentUntilMs(nowMs: number): number {
    const dayMs = this.spend === null ? 0 : this.spend.spentUntilMs(nowMs);
    return this.budgets === null ? dayMs : Math.max(dayMs, this.budgets.spentUntilMs(nowMs));
  }

  /** Counts what a request cost, once that is known. */
  countCost(micros: number, clock: Clock): void {
    this.spend?.count(micros, clock);
    this.budgets?.count(micros);
  }

  /** True where a minute is counted, so that a request takes of it. */
  isRated({ rates }: ChannelKey): boolean {
    return this.rates !== null || rates !== undefined;
  }

  /** One request by this key, and as many tokens as it seems to be. */
  take({ rates }: ChannelKey, tokens: number, nowMs: number): void {
    this.rates?.take(tokens, nowMs);
    rates?.take(tokens, nowMs);
  }

  /** Tokens that came besides, or below zero those that did not. */
  correct({ rates }: ChannelKey, tokens: number): void {
    this.rates?.correct(tokens);
    rates?.correct(tokens);
  }

  /** A request is under way on it by this key, until `release`. */
  occupy(key: ChannelKey): void {
    this.inFlight++;
    (key.load ??= { inFlight: 0 }).inFlight++;
  }

  release({ load }: ChannelKey): void {
    this.inFlight--;
    if (load) load.inFlight--;
  }

  usableKeys(ask: KeyAsk): ChannelKey[] {
    return this.settings.keys.filter((key) => this.#mayUse(key, ask));
  }

  hasKey(ask: KeyAsk): boolean {
    for (const key of this.settings.keys) if (this.#mayUse(key, ask)) return true;
    return false;
  }

  /** The next key that may be used, in turn; null when none may. */
  nextKey(ask: KeyAsk): ChannelKey | null {
    const { keys } = this.settings;
    for (let step = 0; step < keys.length; step++) {
      const key = keys[(this.#turn + step) % keys.length];
      if (!key || !this.#mayUse(key, ask)) continue;
      this.#turn = (this.#turn + step + 1) % keys.length;
      return key;
    }
    return null;
  }

  /** End of its rest by the monotonic clock; past where it may be used for what has these names. */
  restsUntilMs({ rests }: ChannelKey, names: readonly string[]): number {
    return rests === undefined ? 0 : rests.untilMs(this.upstreamModelOf(names));
  }

  /** The same, where its minute may be used up as well. */
  keyBackAtMs(key: ChannelKey, names: readonly string[], nowMs: number): number {
    const restsMs = this.restsUntilMs(key, names);
    return key.rates ? Math.max(restsMs, nowMs + key.rates.waitMs(nowMs)) : restsMs;
  }

  #mayUse(key: ChannelKey, { names, nowMs, tried }: KeyAsk): boolean {
    if (!key.isEnabled || tried.keys.includes(key)) return false;
    return this.keyBackAtMs(key, names, nowMs) <= nowMs;
  }

  upstreamModel(model: string): string {
    return this.settings.modelMapping[model] ?? model;
  }

  /** The name for the vendor: the first of several that the channel itself names, else the last. */
  upstreamModelOf(names: readonly string[]): string {
    const { models } = this.settings;
    return this.upstreamModel(names.find((name) => models.includes(name)) ?? names.at(-1) ?? "");
  }
}

const recognisableCharactersMin = 12;

/**
 * The end by which a key is known again. Even four characters of a short one would give too much
 * away.
 */
export function lastFour(text: string): string {
  const name = credentialName(text);
  return name.length < recognisableCharactersMin ? "" : name.slice(-4);
}
