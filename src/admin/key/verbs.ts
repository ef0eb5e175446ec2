// What is done with API keys, and what the reference says of it.
import { ApiKeyInput } from "../../config/entities.ts";
import { orNull, text } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { removed, statusSchema } from "../contract/basics.ts";
import { byGroup, byName, bySort, byStatus } from "../search.ts";
import { verbsOf } from "../verb.ts";
import { changeKey } from "./change.ts";
import { CreatedKey, KeyView, SessionKey } from "./contract.ts";
import { createKey } from "./create.ts";
import { createSessionKey } from "./create-session.ts";
import { keySorts, listKeyViews } from "./list.ts";
import { readKey } from "./read.ts";
import { revokeKey } from "./revoke.ts";
import { rotateChecker, rotateKey } from "./rotate.ts";

const { list, verb } = verbsOf("API keys");

const { name: _name, ...clearable } = ApiKeyInput.properties;
const keyPatch = Type.Partial(
  Type.Object({
    name: ApiKeyInput.properties.name,
    status: statusSchema,
    ...Object.fromEntries(
      Object.entries(clearable).map(([field, schema]) => [field, orNull(schema)]),
    ),
  }),
);

/** Of those who are in a browser. */
export const pageKeyVerbs = {
  create: verb("Create the API key of a page", "nothing", createSessionKey, {
    description:
      "It works for an hour at most and ends with the session. No list has it, and the log calls " +
      "it `console`. Its rates are those of the account.",
    answer: SessionKey,
  }),
};

export const keyVerbs = {
  list: list("List API keys", KeyView, listKeyViews, {
    ...byName,
    ...byStatus,
    ...byGroup,
    account: { schema: text(), description: "Of this account, by its name or id; for admins." },
    ...bySort(keySorts),
  }),
  create: verb("Create an API key", "body", createKey, {
    description: "The answer is the only time that its text is seen.",
    body: {
      schema: Type.Object({ ...ApiKeyInput.properties, account: Type.Optional(text()) }),
      example: { name: "laptop", unlimited: true },
    },
    answer: CreatedKey,
  }),
  read: verb("Read an API key", "id", readKey, { answer: KeyView }),
  change: verb("Change an API key", "idAndBody", changeKey, {
    description: "Only what is named changes; null takes a field out.",
    body: { schema: keyPatch, example: { quota_micros: 2_000_000 } },
    answer: KeyView,
  }),
  rotate: verb("Give an API key another text", "idAndOptionalBody", rotateKey, {
    description: "The answer is the only time that the new text is seen.",
    body: { schema: rotateChecker.schema, example: { overlap_seconds: 3600 }, isOptional: true },
    answer: CreatedKey,
  }),
  revoke: verb("Revoke an API key", "id", revokeKey, { answer: removed }),
};
