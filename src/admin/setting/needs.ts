// Needs of reading and changing the settings, and of reading the file anew.
import type { Misfit } from "../../config/page/load-with-page.ts";
import type { SettingFact } from "../../config/page/settings.ts";
import type { Seal } from "../../core/seal.ts";
import type { Operator } from "../../identity/caller.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import type { SettingRow } from "./queries.ts";

export interface Configuration {
  readonly path: string | null;
  inForce(): readonly SettingFact[];
  loadedAtMs(): number;
  /** Rows of pages that do not fit, and are as if they were not there. */
  leftOut(): readonly Misfit[];
  /** Settings that a start would have now; throws where the file cannot be used. */
  expected(rows: readonly SettingRow[]): Promise<readonly SettingFact[]>;
  /** Rows that would be left out if these were all. */
  judge(rows: readonly SettingRow[]): Promise<readonly Misfit[]>;
  /** Brings this process up to the rows. */
  follow(): Promise<void>;
  /** Brings what is declared, and what is live, up to the file, and notes who asked for it. */
  reload(by: Operator): Promise<void>;
}

export interface SettingNeeds {
  noting: NotingNeeds;
  seal: Seal;
  configuration: Configuration;
}
