// The file and the environment as they were at one moment: what people change on pages afterwards
// is judged beside that, and not beside an edit of the file that nobody has asked to be read.
import type { ConfigSource } from "../load.ts";
import type { PageValue } from "./leaves.ts";
import { loadWithPage, type Loaded } from "./load-with-page.ts";
import type { ConfigFile } from "../schema.ts";
import { listSettings, type SettingFact } from "./settings.ts";

interface SettingsSnapshot {
  /** With `started` only what is live is other than that. */
  load(page: readonly PageValue[], started?: ConfigFile): Promise<Loaded>;
  /** `page` are those that fit. */
  list(page: readonly PageValue[]): Promise<SettingFact[]>;
}

export interface SettingsSource {
  /** The file and the environment as they are now. */
  take(): SettingsSnapshot;
}

export function createSettingsSource(source: ConfigSource): SettingsSource {
  return { take: () => snapshotOf(source) };
}

function snapshotOf({ environment, readFile }: ConfigSource): SettingsSnapshot {
  const read = new Map<string, string | null>();
  const kept: ConfigSource = {
    environment,
    readFile(path) {
      if (!read.has(path)) read.set(path, readFile(path));
      return read.get(path) ?? null;
    },
  };
  return {
    load: (page, started) => loadWithPage({ ...kept, ...(started && { started }) }, page),
    list: (page) => listSettings({ ...kept, page }),
  };
}
