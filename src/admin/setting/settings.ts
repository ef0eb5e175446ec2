// Settings that are in force, what a start would make of them, and reading the file anew.
import { ConfigError } from "../../config/problems.ts";
import { redactValue } from "../../config/redact.ts";
import type { SettingFact } from "../../config/page/settings.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { Operator } from "../../identity/caller.ts";
import { toSeconds } from "../input.ts";
import type { SettingsView, SettingView } from "./contract.ts";
import type { SettingNeeds } from "./needs.ts";
import { readSettingRows, type SettingRow } from "./queries.ts";

export async function readSettingViews(needs: SettingNeeds): Promise<SettingsView> {
  const { configuration } = needs;
  return {
    file: configuration.path,
    loaded_at: toSeconds(configuration.loadedAtMs()),
    items: await viewAll(needs),
  };
}

export async function viewAll({
  configuration,
  seal,
  noting: { database },
}: SettingNeeds): Promise<SettingView[]> {
  const rows = await readSettingRows(database, seal);
  const stated = new Map(rows.map((row) => [row.name, row]));
  const problems = new Map(configuration.leftOut().map((one) => [one.name, one.problem]));
  const next = await readNext(configuration, rows);
  return configuration.inForce().map((fact) => ({
    name: fact.name,
    value: fact.value,
    default: fact.default,
    source: fact.source,
    place: fact.place,
    variable: fact.variable,
    description: fact.description,
    live: fact.change === "live" || fact.change === "reload",
    page: fact.schema !== null,
    schema: plainOf(fact.schema),
    pending: pendingOf(fact, next),
    stated: toStated(stated.get(fact.name), problems),
  }));
}

function plainOf(schema: SettingFact["schema"]): JsonObject | null {
  return schema && JSON.parse(JSON.stringify(schema));
}

function toStated(
  row: SettingRow | undefined,
  problems: ReadonlyMap<string, string>,
): SettingView["stated"] {
  if (!row) return null;
  return {
    value: redactValue(row.value ?? null),
    previous: redactValue(row.previous ?? null),
    by: row.by,
    at: toSeconds(row.changedAtMs),
    problem: problems.get(row.name) ?? null,
  };
}

type Values = ReadonlyMap<string, Json>;

function pendingOf({ name, value }: SettingFact, next: Values): Json {
  const later = next.get(name) ?? null;
  const isSame = JSON.stringify(later) === JSON.stringify(value);
  return isSame || !next.has(name) ? null : later;
}

/** A file that cannot be used by now changes nothing of what is in force. */
async function readNext(
  { expected }: SettingNeeds["configuration"],
  rows: readonly SettingRow[],
): Promise<Values> {
  try {
    return new Map((await expected(rows)).map(({ name, value }) => [name, value]));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return new Map();
  }
}

/** A file that cannot be used leaves everything as it was, and is refused with its problems. */
export async function reloadSettings(
  needs: SettingNeeds,
  operator: Operator,
): Promise<SettingsView> {
  try {
    await needs.configuration.reload(operator);
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    const message = cause.problems.join("; ");
    throw new GatewayError("invalid_request", { message, cause });
  }
  return await readSettingViews(needs);
}
