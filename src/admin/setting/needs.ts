// Needs of reading the settings, and of reading the file anew.
import type { SettingFact } from "../../config/settings.ts";
import type { Operator } from "../../identity/caller.ts";

export interface Configuration {
  /** Settings at the gateway's start. */
  readonly inForce: readonly SettingFact[];
  readonly path: string | null;
  loadedAtMs(): number;
  /** Settings of the file and the environment now; throws where they cannot be used. */
  read(): Promise<readonly SettingFact[]>;
  /** Brings what is declared up to the file, and notes who asked for it. */
  reload(by: Operator): Promise<void>;
}

export interface SettingNeeds {
  configuration: Configuration;
}
