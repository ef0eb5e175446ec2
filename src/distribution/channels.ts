// The channels in memory: rebuilt as a whole when one changes, read without waiting by requests.
// How a channel is doing survives the rebuild.
import type { ChannelId } from "../core/ids.ts";
import { Channel, type ChannelSettings } from "./channel.ts";
import type { HealthRules } from "./health.ts";

const none: readonly Channel[] = [];

export class Channels {
  readonly #rules: HealthRules;
  #all: readonly Channel[] = [];
  #byGroup = new Map<string, Map<string, Channel[]>>();

  constructor(rules: HealthRules) {
    this.#rules = rules;
  }

  /** Takes the enabled channels, sorted or not. */
  replace(settings: readonly ChannelSettings[]): void {
    const before = new Map(this.#all.map((channel) => [channel.settings.id, channel]));
    this.#all = settings
      .toSorted((a, b) => b.priority - a.priority)
      .map((next) => this.#keepState(before.get(next.id), next));
    this.#byGroup = index(this.#all);
  }

  /** Highest priority first; empty when nothing serves the model for the group. */
  candidates(model: string, group: string): readonly Channel[] {
    return this.#byGroup.get(group)?.get(model) ?? none;
  }

  models(group: string): string[] {
    return [...(this.#byGroup.get(group)?.keys() ?? [])].toSorted();
  }

  find(id: ChannelId): Channel | undefined {
    return this.#all.find((channel) => channel.settings.id === id);
  }

  get all(): readonly Channel[] {
    return this.#all;
  }

  #keepState(before: Channel | undefined, next: ChannelSettings): Channel {
    // Another address is another channel as far as its health goes.
    if (before?.settings.baseUrl !== next.baseUrl) return new Channel(next, this.#rules);
    before.update(next);
    return before;
  }
}

function index(channels: readonly Channel[]): Map<string, Map<string, Channel[]>> {
  const byGroup = new Map<string, Map<string, Channel[]>>();
  for (const channel of channels) {
    for (const group of channel.settings.groups) {
      let byModel = byGroup.get(group);
      if (!byModel) byGroup.set(group, (byModel = new Map()));
      for (const model of channel.settings.models) {
        const served = byModel.get(model);
        if (served) served.push(channel);
        else byModel.set(model, [channel]);
      }
    }
  }
  return byGroup;
}
