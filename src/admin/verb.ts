// A verb of the control plane: what it takes, what it gives, what the reference says of it, and the
// function that does it. Where in a request its input stands is for the route table to know.
import type { JsonObject } from "../core/json.ts";
import type { QueryEntry, ReferenceEntry } from "../core/reference-entry.ts";
import { Type, type Static, type TSchema } from "../core/schema.ts";
import type { Operator } from "../identity/caller.ts";
import { listFields, pages } from "./contract/basics.ts";
import type { Listed } from "./contract/reply.ts";
import type { OnOne } from "./input.ts";

/** By what a verb says that it takes. */
export interface Inputs {
  nothing: void;
  query: URLSearchParams;
  id: { id: string };
  idAndQuery: { id: string; query: URLSearchParams };
  /** One of the things that something has. */
  idAndPart: { id: string; part: string };
  nameInPath: { name: string };
  nameInQuery: { name: string };
  body: JsonObject;
  /** For what may be asked without saying more. */
  optionalBody: JsonObject;
  idAndBody: OnOne;
  idAndOptionalBody: OnOne;
}

export interface Verb<Needs, Takes extends keyof Inputs> extends ReferenceEntry {
  takes: Takes;
  run: Run<Needs, Inputs[Takes], unknown>;
}

type Run<Needs, Input, Output> = (
  needs: Needs,
  operator: Operator,
  input: Input,
) => Promise<Output>;

type EntryOf<Answer> = Omit<ReferenceEntry, "tag" | "summary" | "answer"> & { answer: Answer };

/** Those of one heading of the reference. */
export function verbsOf(tag: string) {
  /** Stops compiling when what the function gives is not what the schema of the answer says. */
  function verb<Needs, Takes extends keyof Inputs, Answer extends TSchema>(
    summary: string,
    takes: Takes,
    run: Run<Needs, Inputs[Takes], Static<Answer>>,
    entry: EntryOf<Answer>,
  ): Verb<Needs, Takes> {
    return { tag, summary, takes, run, ...entry };
  }

  /** A list in pages. */
  function list<Needs, Item extends TSchema>(
    summary: string,
    item: Item,
    run: Run<Needs, URLSearchParams, Listed<Static<Item>>>,
    filter: QueryEntry = {},
  ): Verb<Needs, "query"> {
    return {
      tag,
      summary,
      takes: "query",
      run,
      query: { ...pages, ...filter },
      answer: Type.Object(listFields(item)),
    };
  }

  return { verb, list };
}
