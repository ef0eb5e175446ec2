// Changes settings on a page. What comes of all changes together is judged as a whole configuration
// is, before any of them is written.
import { fillHiddenSecrets } from "../../config/hidden-secrets.ts";
import { findPageSetting, pageValueFaults } from "../../config/page/load-with-page.ts";
import { redactValue } from "../../config/redact.ts";
import type { SettingFact } from "../../config/page/settings.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type { Operator } from "../../identity/caller.ts";
import { commitTogether } from "../../store/database.ts";
import { changesOf } from "../audit/changes.ts";
import { entryQuery, personOf } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { assertMayChangeSetting } from "./effects.ts";
import type { ChangedSettings, SettingCalls } from "./contract.ts";
import type { SettingNeeds } from "./needs.ts";
import { readSettingRows, upsertOfSetting, type SettingRow } from "./queries.ts";
import { viewAll } from "./settings.ts";

interface Change {
  name: string;
  /** Undefined takes back what a page states. */
  value: Json | undefined;
}

export async function changeSettings(
  needs: SettingNeeds,
  operator: Operator,
  { body: { changes } }: InputOf<SettingCalls["change"]>,
): Promise<ChangedSettings> {
  return await changeInTurn(needs, operator, (rows) => {
    const facts = new Map(needs.configuration.inForce().map((fact) => [fact.name, fact]));
    return changes.map(({ name, value }, at) => {
      if (changes.findIndex((one) => one.name === name) !== at) {
        throw invalid(`changes.${at}.name`, "stands twice");
      }
      if (value === null) return { name, value: undefined };
      return {
        name,
        value: readValue(name, value, { fact: facts.get(name), row: rows.get(name) }),
      };
    });
  });
}

/** States again what was there before the last change, be it nothing. */
export async function undoSetting(
  needs: SettingNeeds,
  operator: Operator,
  { body: { name } }: InputOf<SettingCalls["undo"]>,
): Promise<ChangedSettings> {
  return await changeInTurn(needs, operator, (rows) => {
    const row = rows.get(name);
    if (!row) throw invalid("name", "has no change on a page that could be undone");
    return [{ name, value: row.previous }];
  });
}

function readValue(
  name: string,
  value: Json,
  { fact, row }: { fact: SettingFact | undefined; row: SettingRow | undefined },
): Json {
  const leaf = findPageSetting(name);
  if (!leaf) {
    const known = fact ? "can be changed in the file or the environment alone" : "is not a setting";
    throw invalid(name, known);
  }
  if (fact?.place) throw invalid(name, `is stated at ${fact.place}, which is stronger than a page`);
  const { value: whole, faults } = fillHiddenSecrets(value, row?.value);
  const [fault] = [...faults, ...pageValueFaults(leaf.schema, whole)];
  if (fault) throw invalid([name, ...fault.path].join("."), fault.message);
  return whole;
}

type Rows = ReadonlyMap<string, SettingRow>;

async function changeInTurn(
  needs: SettingNeeds,
  operator: Operator,
  decide: (rows: Rows) => readonly Change[],
): Promise<ChangedSettings> {
  const { noting, seal, configuration } = needs;
  return await exclusively(noting, "settings", async () => {
    const before = await readSettingRows(noting.database, seal);
    const known = new Map(before.map((row) => [row.name, row]));
    const changes = decide(known);
    for (const { name } of changes) assertMayChangeSetting(operator, name);
    const by = { accountId: personOf(operator).accountId, by: null };
    const changed = changes.map(({ name, value }): SettingRow => ({
      name,
      value,
      previous: known.get(name)?.value,
      isUnreadable: false,
      ...by,
      changedAtMs: noting.clock.nowMs(),
    }));
    await assertFitting(needs, before, changed);
    await commitTogether(noting.store, [
      ...changed.map((row) => upsertOfSetting(noting.database, seal, row)),
      ...changed.map((row) => entryQuery(noting, operator, noteOf(row))),
    ]);
    await configuration.follow();
    const names = new Set(changes.map(({ name }) => name));
    return { items: (await viewAll(needs)).filter(({ name }) => names.has(name)) };
  });
}

/** No row may be left out that was not before: neither of these nor another one by them. */
async function assertFitting(
  { configuration }: SettingNeeds,
  before: readonly SettingRow[],
  changed: readonly SettingRow[],
): Promise<void> {
  const names = new Set(changed.map(({ name }) => name));
  const others = before.filter(({ name }) => !names.has(name));
  const wasOut = new Set(configuration.leftOut().map(({ name }) => name));
  const leftOut = await configuration.judge([...others, ...changed]);
  const own = leftOut.find(({ name }) => names.has(name));
  const fresh = own ?? leftOut.find(({ name }) => !wasOut.has(name));
  if (!fresh) return;
  const param = own ? fresh.name : changed[0]?.name;
  throw new GatewayError("invalid_request", {
    message: fresh.problem,
    ...(param !== undefined && { param }),
  });
}

function noteOf({ name, value, previous }: SettingRow) {
  const shown = (one: Json | undefined) => ({ value: redactValue(one ?? null) });
  const changes = changesOf(shown(previous), shown(value));
  return { action: "setting.change", target: name, changes } as const;
}
