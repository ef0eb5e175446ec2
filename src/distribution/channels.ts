// The channels in memory: rebuilt as a whole when one changes, read without waiting by requests.
// How a channel is doing survives the rebuild.
import type { ChannelId } from "../core/ids.ts";
import { Channel, type ChannelSettings } from "./channel.ts";
import type { HealthRules } from "./health.ts";

const none: readonly Channel[] = [];

export class Channels {
  readonly #rules: HealthRules;
  readonly #liveNodes: () => number;
  #all: readonly Channel[] = [];
  #byGroup = new Map<string, Map<string, Channel[]>>();
  #forRoot = new Map<string, Channel[]>();
  /** Those that get no more requests, and still have some. */
  #leaving: readonly Channel[] = [];

  constructor(rules: HealthRules, liveNodes: () => number = () => 1) {
    this.#rules = rules;
    this.#liveNodes = liveNodes;
  }

  /** Takes the enabled channels, sorted or not, as of a moment by the wall clock. */
  replace(settings: readonly ChannelSettings[], nowMs: number = 0): void {
    const known = [...this.#leaving, ...this.#all];
    const before = new Map(known.map((channel) => [channel.settings.id, channel]));
    this.#all = settings
      .toSorted((a, b) => b.priority - a.priority)
      .map((next) => this.#keepState(before.get(next.id), next, nowMs));
    this.#leaving = known.filter((channel) => channel.inFlight > 0 && !this.#all.includes(channel));
    this.#byGroup = new Map();
    this.#forRoot = new Map();
    for (const channel of this.#all) {
      if (channel.settings.isForRoot) addModels(this.#forRoot, channel);
      else addTo(this.#byGroup, channel);
    }
  }

  /** Highest priority first; empty when nothing serves the model for the group, or for root. */
  candidates(model: string, group: string, isRoot: boolean = false): readonly Channel[] {
    const serving = this.#byGroup.get(group)?.get(model);
    return serving ?? (isRoot ? this.#forRoot.get(model) : undefined) ?? none;
  }

  models(group: string): string[] {
    return [...(this.#byGroup.get(group)?.keys() ?? [])].toSorted();
  }

  find(id: ChannelId): Channel | undefined {
    return this.#all.find((channel) => channel.settings.id === id);
  }

  /** The count of requests that run on a channel, also on one that gets no more of them. */
  inFlightOf(id: ChannelId): number {
    const both = [...this.#all, ...this.#leaving].filter(({ settings }) => settings.id === id);
    return both.reduce((sum, { inFlight }) => sum + inFlight, 0);
  }

  get all(): readonly Channel[] {
    return this.#all;
  }

  #keepState(before: Channel | undefined, next: ChannelSettings, nowMs: number): Channel {
    if (before?.settings.baseUrl === next.baseUrl) {
      before.update(next, nowMs);
      return before;
    }
    // Another address is another channel as far as its health goes.
    const channel = new Channel(next, this.#rules, this.#liveNodes);
    if (before) channel.inheritCosts(before, nowMs);
    return channel;
  }
}

function addTo(byGroup: Map<string, Map<string, Channel[]>>, channel: Channel): void {
  for (const group of channel.settings.groups) {
    let byModel = byGroup.get(group);
    if (!byModel) byGroup.set(group, (byModel = new Map()));
    addModels(byModel, channel);
  }
}

function addModels(byModel: Map<string, Channel[]>, channel: Channel): void {
  for (const model of channel.settings.models) {
    const served = byModel.get(model);
    if (served) served.push(channel);
    else byModel.set(model, [channel]);
  }
}
