// The configuration that the gateway was started with, what people changed of it on pages, and
// reading the file anew while it runs.
import type { Configuration } from "../../admin/setting/needs.ts";
import { readSettingRows, type SettingRow } from "../../admin/setting/queries.ts";
import type { Config } from "../../config/config.ts";
import type { PageValue } from "../../config/page/leaves.ts";
import type { Loaded, Misfit } from "../../config/page/load-with-page.ts";
import type { SettingFact } from "../../config/page/settings.ts";
import type { SettingsSource } from "../../config/page/settings-source.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Seal } from "../../core/seal.ts";
import type { Operator } from "../../identity/caller.ts";
import type { Database } from "../../store/database.ts";
import { take } from "./running.ts";

interface ConfigurationNeeds {
  settings: SettingsSource;
  /** The configuration that the parts have, which is brought up to date in place. */
  running: Config;
  database: Database;
  seal: Seal;
  clock: Clock;
  log: Log;
}

/** Brings what is declared up to date; `by` is null where nobody in particular asked for it. */
type Apply = (config: Config, by: Operator | null) => Promise<void>;

interface RunningConfiguration extends Configuration {
  /** Reads the file anew, as a signal asks for it. */
  reloadFile(): Promise<void>;
  /** Set once there is something that is declared. */
  applied(apply: Apply): void;
}

export async function startConfiguration(needs: ConfigurationNeeds): Promise<RunningConfiguration> {
  const { settings, running, database, seal, clock, log } = needs;
  let snapshot = settings.take();
  let loadedAtMs = clock.nowMs();
  let leftOut: readonly Misfit[] = [];
  let apply: Apply = async () => {};
  const readRows = () => readSettingRows(database, seal);
  const started = await loadRows(await readRows());
  take(running, started.loaded.config);
  const atStart = await snapshot.list(started.fitting);
  let now = atStart;

  /** Tells of rows that are left out, each once. */
  async function loadRows(rows: readonly SettingRow[], started?: Loaded["file"]) {
    const values = valuesOf(rows);
    const loaded = await snapshot.load(values, started);
    const all = [...unreadable(rows), ...loaded.leftOut];
    for (const { name, problem } of all) {
      if (leftOut.some((one) => one.name === name)) continue;
      log.warn("a setting of a page is left out", { setting: name, problem });
    }
    leftOut = all;
    const out = new Set(all.map(({ name }) => name));
    return { loaded, fitting: values.filter(({ name }) => !out.has(name)) };
  }

  async function follow(): Promise<void> {
    const { loaded, fitting } = await loadRows(await readRows(), started.loaded.file);
    take(running, loaded.config);
    now = await snapshot.list(fitting);
  }

  async function reload(by: Operator | null): Promise<void> {
    const next = settings.take();
    // A file that cannot be used is refused here, before anything has changed.
    const { config } = await next.load([], started.loaded.file);
    await apply(config, by);
    snapshot = next;
    loadedAtMs = clock.nowMs();
    await follow();
  }

  return {
    path: running.configPath,
    inForce: () => inForce(atStart, now),
    loadedAtMs: () => loadedAtMs,
    leftOut: () => leftOut,
    async expected(rows) {
      const { leftOut: out } = await settings.take().load(valuesOf(rows));
      const names = new Set(out.map(({ name }) => name));
      return await settings.take().list(valuesOf(rows).filter(({ name }) => !names.has(name)));
    },
    judge: async (rows) => (await snapshot.load(valuesOf(rows))).leftOut,
    follow,
    reload: (by) => reload(by),
    reloadFile: () => reload(null),
    applied: (next) => (apply = next),
  };
}

/** Settings that are not live are as at the start, whatever was said since. */
function inForce(atStart: readonly SettingFact[], now: readonly SettingFact[]): SettingFact[] {
  const before = new Map(atStart.map((fact) => [fact.name, fact]));
  return now.map((fact) => {
    const isLive = fact.change === "live" || fact.change === "reload";
    return isLive ? fact : (before.get(fact.name) ?? fact);
  });
}

function valuesOf(rows: readonly SettingRow[]): PageValue[] {
  return rows.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]));
}

function unreadable(rows: readonly SettingRow[]): Misfit[] {
  const problem = "was sealed with another secret; state it again";
  return rows.flatMap(({ name, isUnreadable }) => (isUnreadable ? [{ name, problem }] : []));
}
