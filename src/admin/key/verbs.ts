// What is done with API keys, and what the reference says of it.
import { ApiKeyInput } from "../../config/entities.ts";
import { text } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { listOf, pages, removed } from "../contract/basics.ts";
import { verb } from "../verb.ts";
import { changeKey } from "./change.ts";
import { CreatedKey, KeyView } from "./contract.ts";
import { createKey } from "./create.ts";
import { listKeyViews } from "./list.ts";
import { readKey } from "./read.ts";
import { revokeKey } from "./revoke.ts";

const tag = "API keys";

export const keys = {
  list: verb({
    tag,
    summary: "List API keys",
    takes: "query",
    query: { ...pages, account: { schema: text(), description: "For admins." } },
    answer: listOf(KeyView),
    run: listKeyViews,
  }),
  create: verb({
    tag,
    summary: "Create an API key",
    description: "The answer is the only time that its text is seen.",
    takes: "body",
    body: {
      schema: Type.Object({ ...ApiKeyInput.properties, account: Type.Optional(text()) }),
      example: { name: "laptop", unlimited: true },
    },
    answer: CreatedKey,
    run: createKey,
  }),
  read: verb({ tag, summary: "Read an API key", takes: "id", answer: KeyView, run: readKey }),
  change: verb({
    tag,
    summary: "Change an API key",
    takes: "idAndBody",
    body: { schema: Type.Partial(ApiKeyInput), example: { quota_micros: 2_000_000 } },
    answer: KeyView,
    run: changeKey,
  }),
  revoke: verb({
    tag,
    summary: "Revoke an API key",
    takes: "id",
    answer: removed,
    run: revokeKey,
  }),
};
