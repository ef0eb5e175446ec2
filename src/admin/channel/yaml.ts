// Channels as the configuration file would have them: out without their secrets, in all or none.
import { GatewayError, invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import { hiddenValue } from "../../config/entities.ts";
import { channelChecker } from "../../config/entity-rules.ts";
import { readYaml, writeYaml } from "../../config/yaml.ts";
import { headerNames } from "../../distribution/channel-headers.ts";
import { readChannels, type ChannelRow } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { shown } from "../hidden.ts";
import { channelPatch } from "./input-contract.ts";
import {
  channelCalls,
  ChannelView,
  type ChannelCalls,
  type ChannelDeclarations,
  type ChannelImport,
} from "./contract.ts";
import type { ChannelNeeds } from "./needs.ts";
import { commitChannels, planChange, planNew, type ChannelWrite } from "./plan.ts";
import { authorOf } from "./reach.ts";
import { toInput } from "./row.ts";

const channelsMax = 1000;

/** A variable of the environment stands where each key, and each value of a header, would. */
export async function exportChannels(
  needs: ChannelNeeds,
  operator: Operator,
): Promise<ChannelDeclarations> {
  const rows = await readChannels(needs.database);
  const channels = rows.map((row) => ({
    ...shown({ ...channelCalls.exportAll, answer: ChannelView }, operator, toInput(row)),
    headers: Object.fromEntries(headerNames(row).map((name) => [name, variableOf(row, name)])),
    key: variableOf(row, "key"),
  }));
  return { yaml: await writeYaml({ channels }) };
}

function variableOf({ name }: ChannelRow, secret: string): string {
  const words = `${name}_${secret}`.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
  return `\${${words.replace(/^_+|^(?=\d)/, "")}}`;
}

/** Match channels by name: those that are there change in what is said of them, others are made. */
export async function importChannels(
  needs: ChannelNeeds,
  operator: Operator,
  { body }: InputOf<ChannelCalls["importAll"]>,
): Promise<ChannelImport> {
  const { yaml, dry_run: isDry = false } = body;
  const wanted = await readDeclared(yaml);
  return await exclusively(needs, "channels", async () => {
    const rows = new Map((await readChannels(needs.database)).map((row) => [row.name, row]));
    const writes = wanted.map((fields, at) => plan({ ...needs, operator }, rows, fields, at));
    if (!isDry) await commitChannels(needs, operator, writes);
    return {
      created: namesOf(writes, "channel.create"),
      changed: namesOf(writes, "channel.change"),
      dry_run: isDry,
    };
  });
}

function namesOf(writes: readonly ChannelWrite[], action: string): string[] {
  return writes.filter(({ note }) => note.action === action).map(({ row }) => row.name);
}

async function readDeclared(yaml: string): Promise<JsonObject[]> {
  const { value, problems } = await readYaml(yaml);
  const [problem] = problems;
  if (problem) throw invalid("yaml", `line ${problem.line}: ${problem.message}`);
  const listed: Json | undefined = isObject(value) ? value["channels"] : value;
  if (!Array.isArray(listed) || listed.length === 0 || listed.length > channelsMax) {
    throw invalid("yaml", `must have a list of 1 to ${channelsMax} channels`);
  }
  const names = new Set<unknown>();
  return listed.map((one, at) => {
    if (!isObject(one)) throw invalid(`channels.${at}`, "must be a channel");
    if (names.has(one["name"])) throw invalid(`channels.${at}.name`, "stands there twice");
    names.add(one["name"]);
    return one;
  });
}

/** A variable in place of a secret leaves the one that is there; the environment is not read. */
function plan(
  needs: ChannelNeeds & { operator: Operator },
  rows: ReadonlyMap<string, ChannelRow>,
  fields: JsonObject,
  at: number,
): ChannelWrite {
  const { key, headers, ...others } = fields;
  const body = {
    ...others,
    ...(key !== undefined && !isPlaceholder(key) && { key }),
    ...(headers !== undefined && { headers: hidePlaceholders(headers) }),
  };
  const before = rows.get(String(fields["name"]));
  try {
    return before
      ? planChange(needs, before, channelPatch.parse(body))
      : planNew(needs, authorOf(needs.operator), parseWith(channelChecker, body));
  } catch (error) {
    throw placed(error, at);
  }
}

function isPlaceholder(value: Json | undefined): boolean {
  return typeof value === "string" && /^\$\{\w+\}$/.test(value);
}

function hidePlaceholders(headers: Json): Json {
  if (!isObject(headers)) return headers;
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isPlaceholder(value) ? hiddenValue : value]),
  );
}

/** Name the channel that the error is about. */
function placed(error: unknown, at: number): unknown {
  if (!(error instanceof GatewayError)) return error;
  const param = `channels.${at}${error.param === null ? "" : `.${error.param}`}`;
  const { code, message } = error;
  return new GatewayError(code, { param, message: `channels.${at}: ${message}` });
}
