// Other addresses of a row, by which clients made for a cloud ask for the same thing. An alias is a
// row as all others; the reference names it in the entry of the row that it stands for.
import type { BodyTypes } from "../body.ts";
import type { KeyRoute } from "../route.ts";
import { RewrittenIncoming, type Rewrite } from "./rewritten-incoming.ts";

interface AliasRules {
  carriers?: KeyRoute["carriers"];
  /** Absent where the body is what the row takes. */
  rewrite?: Rewrite;
}

export function aliasAt(row: KeyRoute, path: string, rules: AliasRules = {}): KeyRoute {
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
