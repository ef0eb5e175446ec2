// A call of the control plane as both its ends know it: address, role, input and answer. Schemas
// alone: the gateway parses by them, the reference prints them, the command line reads its options
// off them, and the console takes their types. The function is bound to it elsewhere, so that none
// of these loads the gateway.
import type { JsonObject } from "../core/json.ts";
import type { BodyEntry, QueryEntry, ReferenceEntry } from "../core/reference-entry.ts";
import {
  compile,
  parseWith,
  Type,
  type Checker,
  type Static,
  type TSchema,
} from "../core/schema.ts";
import type { Seats } from "../identity/role.ts";
import type { Permission } from "../identity/roles/permissions.ts";
import { listFields, pages } from "./contract/basics.ts";

type CallMethod = "GET" | "POST" | "PATCH" | "DELETE";
type CallAddress = `${CallMethod} /api/${string}`;

/** A body, and its parser, which throws the 400 that names the wrong field. */
export interface CallBody<Value> extends BodyEntry {
  parse(body: JsonObject): Value;
}

/** A call that may be made before anybody is known. */
export interface ApiCall extends ReferenceEntry {
  at: CallAddress;
  /** Reason why neither a page nor a command makes it. */
  faceless?: string;
  body?: CallBody<unknown>;
  answer: TSchema;
}

export interface ControlCall extends ApiCall {
  /** Permission that it takes; absent: it is for everyone, and about their own. */
  permission?: Permission;
  /** No rank says who may make it. */
  role?: never;
  /** Permission with which it is about what others have, too. */
  wider?: Permission;
  /** Permission that it takes where it is about another account; the function asks for it. */
  others?: Permission;
  /** Credentials that may make it; default: both. */
  carriers?: readonly ("session" | "token")[];
  /** Seats that may make it in the scope of their organisation; absent: it has none. */
  seats?: Seats;
  /** Also for one who still has to set up the second factor that its role demands. */
  isForEnrolment?: true;
  /** Its answer lets a reader do more than read. */
  showsSecret?: true;
}

type ListFacts = Pick<ControlCall, "permission" | "wider" | "seats">;
type Facts<Of extends ApiCall> = Omit<Of, "tag" | "summary" | "at">;

/** Makers of the calls under one heading of the reference. */
export function callsOf(tag: string) {
  function call<const At extends CallAddress, const Stated extends Facts<ControlCall>>(
    at: At,
    summary: string,
    facts: Stated,
  ): Stated & { tag: string; summary: string; at: At } {
    return { tag, summary, at, ...facts };
  }

  function open<const At extends CallAddress, const Stated extends Facts<ApiCall>>(
    at: At,
    summary: string,
    facts: Stated,
  ): Stated & { tag: string; summary: string; at: At } {
    return { tag, summary, at, ...facts };
  }

  /** A list in pages. */
  function list<
    const At extends CallAddress,
    Item extends TSchema,
    const Filter extends QueryEntry,
  >(at: At, summary: string, facts: ListFacts & { item: Item; filter: Filter }) {
    const { item, filter, ...stated } = facts;
    const query = { ...pages, ...filter };
    const answer = Type.Object(listFields(item));
    return { tag, summary, at, ...stated, query, answer };
  }

  return { call, open, list };
}

/** A body of which its schema says all that is demanded. */
export function bodyOf<Schema extends TSchema>(schema: Schema, example: BodyEntry["example"]) {
  return { ...bodyBy(compile(schema), example), schema };
}

/** A body with rules beyond its schema. */
export function bodyBy<Value>(checker: Checker<Value>, example: BodyEntry["example"]) {
  const parse = (body: JsonObject): Value => parseWith(checker, body);
  return { schema: checker.schema, example, parse };
}

type ParamsOf<At extends string> = At extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: string } & ParamsOf<Rest>
  : unknown;

/** Parsed query: every flag and every default is there, the rest where the client sent it. */
export type QueryOf<Query extends QueryEntry> = {
  [Name in keyof Query as IsSure<Query[Name]> extends true ? Name : never]: ValueOf<Query[Name]>;
} & {
  [Name in keyof Query as IsSure<Query[Name]> extends true ? never : Name]?: ValueOf<Query[Name]>;
};

/** Query as a client may write it. */
type AskedQuery<Query extends QueryEntry> = {
  [Name in keyof Query]?: SentOf<Query[Name]> | null | undefined;
};

type IsSure<One> = One extends { isFlag: true } | { isFilled: true } | { isRequired: true }
  ? true
  : false;
type SentOf<One extends { schema: TSchema }> = One extends { isFlag: true }
  ? boolean
  : Static<One["schema"]>;
type ValueOf<One extends { schema: TSchema }> = One extends {
  read: (...text: never) => infer Value;
}
  ? Value
  : SentOf<One>;

/** A file as it comes, no more than so many bytes. */
interface Upload {
  pieces(bytesMax: number): AsyncIterable<Uint8Array>;
}

/** Input of the function. */
export type InputOf<One extends ApiCall> = ParamsOf<One["at"]> &
  (One extends { fileTypes: readonly string[] } ? Upload : unknown) &
  (One extends { query: infer Query extends QueryEntry } ? { query: QueryOf<Query> } : unknown) &
  (One extends { body: CallBody<infer Value> } ? { body: Value } : unknown);

/** Input as a client writes it. */
export type AskOf<One extends ApiCall> = ParamsOf<One["at"]> &
  (One extends { query: infer Query extends QueryEntry }
    ? { query?: AskedQuery<Query> }
    : unknown) &
  (One extends { body: { isOptional: true } & CallBody<infer Value> }
    ? { body?: Value }
    : One extends { body: CallBody<infer Value> }
      ? { body: Value }
      : unknown);

export type AnswerOf<One extends ApiCall> = Static<One["answer"]>;

/** Calls by their addresses. */
export type ApiOf<Calls extends Record<string, ApiCall>> = {
  [Name in keyof Calls as Calls[Name]["at"]]: Calls[Name];
};
