// The configuration that the gateway was started with, and reading the file anew while it runs.
import type { Configuration } from "../admin/setting/needs.ts";
import type { Config } from "../config/config.ts";
import type { SettingFact } from "../config/settings.ts";
import type { Clock } from "../core/clock.ts";
import type { Operator } from "../identity/caller.ts";

/** The file and the environment, as they are when it is asked. */
export interface SettingsSource {
  list(): Promise<SettingFact[]>;
  load(): Promise<Config>;
}

interface ConfigurationNeeds {
  /** Brings what is declared up to date; `by` is null where nobody in particular asked for it. */
  apply(config: Config, by: Operator | null): Promise<void>;
  clock: Clock;
  path: string | null;
}

export async function createConfiguration(
  settings: SettingsSource,
  { apply, clock, path }: ConfigurationNeeds,
): Promise<Configuration & { apply(config: Config): Promise<void> }> {
  let loadedAtMs = clock.nowMs();
  async function applyAt(config: Config, by: Operator | null = null): Promise<void> {
    await apply(config, by);
    loadedAtMs = clock.nowMs();
  }
  return {
    inForce: await settings.list(),
    path,
    loadedAtMs: () => loadedAtMs,
    read: () => settings.list(),
    reload: async (by) => applyAt(await settings.load(), by),
    apply: (config) => applyAt(config),
  };
}
