// What the gateway was started with, and how the file is read anew while it runs.
import type { Configuration } from "../admin/setting/needs.ts";
import type { Config } from "../config/config.ts";
import type { SettingFact } from "../config/settings.ts";
import type { Clock } from "../core/clock.ts";

/** The file and the environment, as they are when it is asked. */
export interface SettingsSource {
  list(): Promise<SettingFact[]>;
  load(): Promise<Config>;
}

interface ConfigurationNeeds {
  /** Brings what is declared up to date. */
  apply(config: Config): Promise<void>;
  clock: Clock;
  path: string | null;
}

export async function createConfiguration(
  settings: SettingsSource,
  { apply, clock, path }: ConfigurationNeeds,
): Promise<Configuration & Pick<ConfigurationNeeds, "apply">> {
  let loadedAtMs = clock.nowMs();
  async function applyAt(config: Config): Promise<void> {
    await apply(config);
    loadedAtMs = clock.nowMs();
  }
  return {
    inForce: await settings.list(),
    path,
    loadedAtMs: () => loadedAtMs,
    read: () => settings.list(),
    reload: async () => applyAt(await settings.load()),
    apply: applyAt,
  };
}
