// What the settings are read by, and how the file is read anew.
import type { SettingFact } from "../../config/settings.ts";
import type { Operator } from "../../identity/caller.ts";

export interface Configuration {
  /** As they were when the gateway started. */
  readonly inForce: readonly SettingFact[];
  readonly path: string | null;
  loadedAtMs(): number;
  /** As the file and the environment are now; throws where they cannot be used. */
  read(): Promise<readonly SettingFact[]>;
  /** Brings what is declared up to the file, and notes who asked for it. */
  reload(by: Operator): Promise<void>;
}

export interface SettingNeeds {
  configuration: Configuration;
}
