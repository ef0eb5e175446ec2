// Other addresses of a row, by which clients made for a cloud ask for the same thing. An alias is a
// row as all others; the reference names it in the entry of the row that it stands for.
import type { JsonObject } from "../../core/json.ts";
import type { BodyTypes } from "../body.ts";
import type { Incoming, KeyRoute } from "../route.ts";
import { RewrittenIncoming } from "./rewritten-incoming.ts";

/** A body and its headers as the row itself takes them. */
export interface Rewritten {
  body: JsonObject;
  headers: Headers;
}

export type Rewrite = (body: JsonObject, incoming: Incoming) => Rewritten;

interface AliasRules {
  carriers?: KeyRoute["carriers"];
  /** Absent where the body is what the row takes. */
  rewrite?: Rewrite;
}

export function aliasOf(row: KeyRoute, path: string, rules: AliasRules = {}): KeyRoute {
  const { carriers = row.carriers, rewrite } = rules;
  const alias: KeyRoute = { ...row, path, carriers, aliasOf: row.path };
  return rewrite ? rewriting(alias, rewrite) : alias;
}

/** The row, which gets each body as it was rewritten. */
export function rewriting(row: KeyRoute, rewrite: Rewrite, types: BodyTypes = "json"): KeyRoute {
  const { serve } = row;
  return {
    ...row,
    serve: (incoming, call) => serve(new RewrittenIncoming(incoming, rewrite, types), call),
  };
}
