// Commands that make one call of the control plane. Options follow from the call's schemas; what a
// command has beside is its words, the order of columns, and the line that people are shown.
import type { Command } from "commander";
import type { AnswerOf, ControlCall } from "../admin/call.ts";
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import {
  addJsonCommand,
  control,
  printJson,
  printRows,
  type CommandNeeds,
  type CommandOptions,
  type CommandTexts,
  type JsonOption,
} from "./command.ts";
import { ControlError, type NamedKind, type ListCall, type AnsweredRow } from "./control-client.ts";
import type { ControlClient, Sent } from "./control-client.ts";
import { bodyOptions, queryOptions, type OptionTable } from "./options.ts";
import { flagOf } from "./flag-words.ts";
import { isMoneyName, wholeOption } from "./readers.ts";
import { dollars, type Column } from "./table.ts";

interface ListCommand<One extends ListCall> extends CommandTexts {
  call: One & ControlCall;
  /** The same of whoever asks, by `--own`. */
  own?: ListCall;
  columns: readonly Column<AnsweredRow<One>>[];
  options?: OptionTable;
  /** Makes of the parameters what is invocation. */
  prepare?(client: ControlClient, query: JsonObject): Promise<JsonObject>;
  /** Flags that stand for parameters. */
  short?: Readonly<Record<string, { text: string; query: JsonObject }>>;
  /** Rows that are listed unless `--limit` says how many; default: all. */
  usual?: number;
}

export function addListCommand<One extends ListCall>(
  to: Command,
  needs: CommandNeeds,
  { call, own, columns, options: table, prepare, short = {}, usual, ...texts }: ListCommand<One>,
): Command {
  const fields = queryOptions(call.query ?? {}, table);
  const command = fields.addTo(addJsonCommand(to, "list", texts));
  addLimit(command, usual);
  if (own) addOwn(command);
  for (const [flag, { text }] of Object.entries(short)) command.option(`--${flag}`, text);
  return command.action((options: CommandOptions) =>
    control(needs, async (client) => {
      const { limit = usual ?? Number.POSITIVE_INFINITY } = options;
      // Rows of one's own lack some fields, and the table shows a dash for them.
      const source = (options["own"] && own ? own : call) as One;
      const implied = Object.entries(short).filter(([flag]) => options[flag] === true);
      const query = implied.reduce(
        (before, [, { query: more }]) => ({ ...before, ...more }),
        fields.read(options),
      );
      const whole = prepare ? await prepare(client, query) : query;
      const rows = await client.some(source, whole, Number(limit));
      printRows(needs.terminal, rows, columns, options);
    }),
  );
}

export function addLimit(command: Command, usual: number | undefined): Command {
  const text = `how many at most (default: ${usual ?? "all"})`;
  return command.option("--limit <count>", text, wholeOption);
}

export function addOwn(command: Command): Command {
  return command.option("--own", "only one's own, for an access token that is no admin's");
}

/** Entity that an argument names, by its id or name. */
interface Subject extends NamedKind<ListCall> {
  /** Argument and its help. */
  word: readonly [name: string, text: string];
  /** Field that stands in the address, where that is no id. */
  idField?: string;
}

interface Argument {
  name?: string;
  text: string;
  read?(text: string): unknown;
}

export interface Invocation {
  client: ControlClient;
  /** The first argument. */
  wanted: string;
  /** Fields as they were given, and at last as they were sent. */
  fields: JsonObject;
  options: CommandOptions;
}

interface CallCommand<One extends ControlCall> extends CommandTexts {
  call: One;
  /** Entity whose id stands in the address. */
  of?: Subject;
  /** Part of that entity whose id stands behind it in the address. */
  part?: Subject;
  /** The entity is the scope that the call is made in, and not in its address. */
  isScope?: boolean;
  /** Fields that stand behind the command's name, in their order. */
  words?: Readonly<Record<string, Argument>>;
  /** Options of the command, none where `prepare` alone says what is sent. */
  options?: OptionTable | "none";
  /** Makes of the fields what is sent; null calls nothing. */
  prepare?(invocation: Invocation): Promise<JsonObject | null> | JsonObject;
  /** Another way to the answer than to wait for it. */
  ask?(client: ControlClient, sent: Sent, options: JsonOption): Promise<AnswerOf<One>>;
  /** Line for people; throws where the call failed all the same. */
  text(answer: AnswerOf<One>, invocation: Invocation): string | Promise<string>;
  /** Answer for programs, where it is more than the gateway's. */
  shown?(answer: AnswerOf<One>, invocation: Invocation): JsonObject;
}

export function addCallCommand<One extends ControlCall>(
  to: Command,
  name: string,
  needs: CommandNeeds,
  { of, part, words = {}, options: table, ...spec }: CallCommand<One>,
): Command {
  const command = addJsonCommand(to, name, spec);
  const subjects = [of, part].flatMap((subject) => (subject ? [subject] : []));
  for (const { word } of subjects) command.argument(`<${word[0]}>`, word[1]);
  for (const [field, { name: shown = field, text, read }] of Object.entries(words)) {
    command.argument(`<${shown}>`, text, read ?? String);
  }
  const spoken = Object.keys(words);
  const noOptions = Object.fromEntries(spoken.map((field) => [field, null]));
  const options = table === "none" ? null : optionsOf(spec.call, { ...table, ...noOptions });
  options?.addTo(command);
  return command.action(() =>
    control(needs, async (client) => {
      const flags: CommandOptions = command.opts();
      const args: JsonObject[string][] = command.processedArgs;
      const values = args.slice(subjects.length);
      const fields = {
        ...Object.fromEntries(spoken.map((field, at) => [field, values[at]])),
        ...options?.read(flags),
      };
      const invocation = { client, wanted: String(args[0]), fields, options: flags };
      await makeCall(needs, spec, { invocation, ids: await findIds(client, subjects, args) });
    }),
  );
}

/** Ids of an entity and of its part, as far as they are named. */
async function findIds(
  client: ControlClient,
  subjects: readonly Subject[],
  args: readonly JsonObject[string][],
): Promise<string[]> {
  const ids: string[] = [];
  for (const [at, subject] of subjects.entries()) {
    const entity = await client.find(subject, String(args[at]), ids[0]);
    ids.push(String(entity[subject.idField ?? "id"]));
  }
  return ids;
}

async function makeCall<One extends ControlCall>(
  { terminal }: CommandNeeds,
  { call, isScope = false, prepare, ask, text, shown }: CallCommand<One>,
  { invocation, ids }: { invocation: Invocation; ids: readonly string[] },
): Promise<void> {
  const fields = prepare ? await prepare(invocation) : invocation.fields;
  if (fields === null) return terminal.write("nothing was changed\n");
  if (call.at.startsWith("PATCH ") && Object.keys(fields).length === 0) {
    throw new ControlError("say what to change: --help lists it");
  }
  const { client, options } = invocation;
  const input = call.body ? { body: fields } : { query: fields };
  const place = isScope ? { query: { as: ids[0] ?? "" } } : { id: ids };
  const sent = { ...input, ...place };
  const answer = ask ? await ask(client, sent, options) : await client.ask(call, sent);
  const about = { ...invocation, fields };
  const whole: Json = shown ? shown(answer, about) : answer;
  const { json } = options;
  if (json) printJson(terminal, whole);
  const line = await text(answer, about);
  if (json) return;
  const amounts = call.body ? amountLines(fields, line) : [];
  terminal.write(`${[line, ...amounts].join("\n")}\n`);
}

/** Such as `quota: $10.00`, for each sum that was typed and that the line does not have. */
function amountLines(fields: JsonObject, line: string): string[] {
  const sums = Object.entries(fields).flatMap(([name, value]) => {
    if (!isMoneyName(name)) return [];
    const parts = isObject(value) ? Object.entries(value) : [["", value] as const];
    return parts.map(([part, sum]) => [`${flagOf(name)} ${part}`.trim(), sum] as const);
  });
  return sums.flatMap(([name, sum]) =>
    typeof sum === "number" && !line.includes(dollars(sum)) ? [`${name}: ${dollars(sum)}`] : [],
  );
}

function optionsOf({ body, query }: ControlCall, table: OptionTable) {
  if (body) return bodyOptions(body, table);
  return query && queryOptions(query, table);
}
