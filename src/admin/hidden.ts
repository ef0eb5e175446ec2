// Parts of answers that are left out for those who lack their permission. A schema says so of its
// field (`shownTo`); rows, files and streams of the control plane all come by here.
import type { ControlCall } from "./call.ts";
import { isObject, type Json } from "../core/json.ts";
import type { QueryEntry, ReferenceEntry } from "../core/reference-entry.ts";
import { GatewayError } from "../core/errors.ts";
import type { TSchema } from "../core/schema.ts";
import type { Operator } from "../identity/caller.ts";
import type { Permission } from "../identity/roles/permissions.ts";
import { assertPermitted } from "./authority.ts";
import { changesKeyword, permissionKeyword } from "./contract/basics.ts";

/** Permissions that a call, a file or a stream says of itself. */
export type Seen = Pick<ControlCall, "permission" | "wider">;
type Answering = Seen & Pick<ReferenceEntry, "answer">;
type AskedText = Iterable<readonly [name: string, value: string]>;
type Asking = Answering & { query?: QueryEntry };

/** One's own is shown whole. */
function isAboutOthers({ permission, wider }: Seen, { may, seat }: Operator): boolean {
  if (seat) return false;
  return permission !== undefined || (wider !== undefined && may.has(wider));
}

export function shown<Data>(call: Answering, operator: Operator, data: Data): Data {
  if (!isAboutOthers(call, operator)) return data;
  // Left out are fields alone, which those who lack the permission do not ask for.
  return without(call.answer, data, operator.may) as Data;
}

interface Table {
  columns: readonly string[];
  pages: AsyncIterable<readonly object[]>;
}

export function shownTable(
  file: Seen & { item: TSchema },
  operator: Operator,
  { columns, pages }: Table,
): Table {
  if (!isAboutOthers(file, operator)) return { columns, pages };
  const fields = fieldsOf(file.item);
  const { may } = operator;
  async function* shownPages() {
    for await (const rows of pages) {
      yield rows.map((row) => without(file.item, row, may) as object);
    }
  }
  return {
    columns: columns.filter((name) => !isHidden(fields[name], may)),
    pages: shownPages(),
  };
}

/** A filter by what is hidden, or an order, would tell it all the same. */
export function assertAskable(call: Asking, operator: Operator, query: AskedText): void {
  if (!isAboutOthers(call, operator)) return;
  for (const [name, value] of query) {
    const needed = permissionOf(call.query?.[name]?.schema);
    if (needed) assertPermitted(operator, needed, name);
    if (name === "sort" && hasHidden(call.answer, value.replace(/^-/, ""), operator.may)) {
      const message = "An order by what this role does not see is not given.";
      throw new GatewayError("permission_denied", { param: "sort", message });
    }
  }
}

/** Whether the rows of a list have a field of that name that is hidden. */
function hasHidden(answer: object, name: string, may: Operator["may"]): boolean {
  const { items } = fieldsOf(answer);
  return isHidden(fieldsOf(objectAt(items, "items"))[name], may);
}

function isHidden(schema: unknown, may: Operator["may"]): boolean {
  const needed = permissionOf(schema);
  return needed !== null && !may.has(needed);
}

/** The permission that a schema says, or one of those that it is made of. */
function permissionOf(schema: unknown): Permission | null {
  const own: unknown = objectAt(schema, permissionKeyword);
  // The keyword is written by `shownTo` alone.
  if (typeof own === "string") return own as Permission;
  return (
    alternativesOf(schema)
      .map(permissionOf)
      .find((one) => one !== null) ?? null
  );
}

function without(schema: unknown, data: unknown, may: Operator["may"]): unknown {
  if (objectAt(schema, changesKeyword) === true) {
    return may.has("money.read") ? data : withoutMoney(data as Json);
  }
  if (Array.isArray(data)) {
    const item: unknown = objectAt(schema, "items") ?? alternative(schema, "items");
    return data.map((one) => without(item, one, may));
  }
  if (!isObject(data)) return data;
  const fields = fieldsOf(schema);
  const kept = Object.entries(data).filter(([name]) => !isHidden(fields[name], may));
  return Object.fromEntries(kept.map(([name, value]) => [name, without(fields[name], value, may)]));
}

/** Fields of an object, of all that it may be. */
function fieldsOf(schema: unknown): Record<string, unknown> {
  const own: unknown = objectAt(schema, "properties");
  const all = [...alternativesOf(schema).map(fieldsOf), isObject(own) ? own : {}];
  return Object.fromEntries(all.flatMap((fields) => Object.entries(fields)));
}

function alternative(schema: unknown, keyword: string): unknown {
  return alternativesOf(schema)
    .map((one) => objectAt(one, keyword))
    .find((one) => one !== undefined);
}

function alternativesOf(schema: unknown): unknown[] {
  const any: unknown = objectAt(schema, "anyOf");
  return Array.isArray(any) ? any : [];
}

function objectAt(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined;
}

/** Names and words by which money goes where a field may be of any entity. */
const moneyName = /(?:^|_)(?:micros|picos|multiplier|price|prices|cost|costs|margin|amount)(?:_|$)/;

const dollars = /\$-?\d[\d.,]*/g;

function withoutMoney(value: Json): Json {
  if (typeof value === "string") return value.replaceAll(dollars, "$\u2026");
  if (Array.isArray(value)) return value.map(withoutMoney);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !moneyName.test(name));
  return Object.fromEntries(kept.map(([name, one = null]) => [name, withoutMoney(one)]));
}
