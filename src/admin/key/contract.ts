// API keys as they go over the wire, and their calls.
import { ApiKeyInput } from "../../config/entities.ts";
import { apiKeyChecker } from "../../config/entity-rules.ts";
import type { JsonObject } from "../../core/json.ts";
import { orNull, text, whole } from "../../core/schema-words.ts";
import { compile, parseWith, Type, type Static } from "../../core/schema.ts";
import { holders } from "../../identity/role.ts";
import { bodyOf, callsOf } from "../call.ts";
import {
  momentSchema,
  moneySchema,
  rateFields,
  removed,
  statusSchema,
} from "../contract/basics.ts";
import { patchOf } from "../patch.ts";
import { byGroup, byName, bySort, byStatus } from "../search.ts";

const keyFields = {
  id: text(),
  name: text(),
  shown: text("Enough to recognise the key by."),
  account: text("The user name of the account that pays."),
  account_role: text("The role of that account."),
  member_id: orNull(text("The member of the organisation that made it; null for a service key.")),
  member: orNull(text("The same by user name.")),
  project_id: orNull(text("Of the organisation's project that it is in.")),
  project: orNull(text("The same by name.")),
  group: text(),
  group_is_own: Type.Boolean({
    description: "Set for the key itself; otherwise it follows the group of its account.",
  }),
  unlimited: Type.Boolean(),
  /** Quota for its whole life; null when unlimited. */
  quota_micros: orNull(moneySchema),
  used_micros: moneySchema,
  held_micros: moneySchema,
  models: orNull(Type.Array(text())),
  model_mapping: orNull(
    Type.Record(text(), text(), {
      description: "Model aliases, and what they stand for.",
    }),
  ),
  model_requests_per_minute: orNull(
    Type.Record(text(), Type.Number(), { description: "Its requests a minute by model." }),
  ),
  model_tokens_per_minute: orNull(
    Type.Record(text(), Type.Number(), { description: "Its tokens a minute by model." }),
  ),
  expires_at: orNull(momentSchema),
  allow_ips: orNull(Type.Array(text())),
  log_content: Type.Boolean({
    description: "Its prompts and answers are kept, where the gateway keeps any.",
  }),
  status: statusSchema,
  disabled_by: orNull(
    Type.Enum(["organisation", "gateway"], {
      description:
        "Who disabled it and may alone enable it: owners and admins of the organisation, or " +
        "those who run the gateway; null where whoever may change it may enable it.",
    }),
  ),
  declared: Type.Boolean(),
  created_at: momentSchema,
  /** Null where it never was. */
  last_used_at: orNull(momentSchema),
  previous_until: orNull(whole("Until when the text before its rotation works, in Unix seconds.")),
  rates_now: orNull(
    Type.Object(
      {
        requests: whole("Taken of its requests per minute."),
        tokens: whole("Taken of its tokens per minute."),
        in_flight: whole(),
      },
      { description: "What is taken of its limits now; null where it was not seen lately." },
    ),
  ),
  ...rateFields,
};

export const KeyView = Type.Object(keyFields);
export type KeyView = Static<typeof KeyView>;

export const CreatedKey = Type.Object({
  ...keyFields,
  key: text("The full text, shown this once."),
});
export type CreatedKey = Static<typeof CreatedKey>;

export const SessionKey = Type.Object({
  id: text(),
  key: text("The full text, shown this once."),
  expires_at: momentSchema,
});
export type SessionKey = Static<typeof SessionKey>;

const { call, list } = callsOf("API keys");

const project = Type.Optional(text("The organisation's project that it is in, by name or id."));
const ownerFields = {
  account: Type.Optional(text()),
  project,
  service: Type.Optional(
    Type.Boolean({
      description: "It is the organisation's own and stays when its maker leaves; for its admins.",
    }),
  ),
};
const ApiKeyCreate = Type.Object({ ...ApiKeyInput.properties, ...ownerFields });
const ownerChecker = compile(Type.Object(ownerFields));

/** The owner is no field of the key itself; null is the operator. */
function parseCreate({ account, project, service, ...key }: JsonObject) {
  const owner = Object.entries({ account, project, service });
  const named = owner.filter(([, value]) => value !== undefined && value !== null);
  const input: Static<typeof ApiKeyCreate> = parseWith(apiKeyChecker, key);
  return { ...input, ...parseWith(ownerChecker, Object.fromEntries(named)) };
}

const RotateInput = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30 * 86_400,
        description: "How long the text before works on. Default: not at all.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** For people in a browser. */
export const pageKeyCalls = {
  create: call("POST /api/token/session", "Create the API key of a page", {
    carriers: ["session"],
    description:
      "It works for an hour at most and ends with the session. No list has it, and the log calls " +
      "it `console`. Its rates are those of the account.",
    answer: SessionKey,
  }),
};

export const keyCalls = {
  list: list("GET /api/token", "List API keys", {
    wider: "keys.read",
    seats: holders,
    item: KeyView,
    filter: {
      ...byName,
      ...byStatus,
      ...byGroup,
      account: { schema: text(), description: "Of this account, by its name or id; for admins." },
      digest: {
        schema: Type.String({ pattern: "^[0-9a-f]{64}$" }),
        description: "Of this text, or with it before its last rotation, by its SHA-256 in hex.",
      },
      member: { schema: text(), description: "That this member made, by its name or id." },
      project: { schema: text(), description: "In this project, by its name or id." },
      ...bySort(["name", "created_at", "used_micros", "used_share", "last_used_at"]),
    },
  }),
  create: call("POST /api/token", "Create an API key", {
    others: "keys.write",
    wider: "keys.read",
    seats: holders,
    description: "The answer is the only time that its text is seen.",
    body: {
      schema: ApiKeyCreate,
      example: { name: "laptop", unlimited: true },
      parse: parseCreate,
    },
    answer: CreatedKey,
  }),
  rotate: call("POST /api/token/{id}/rotate", "Give an API key another text", {
    others: "keys.write",
    wider: "keys.read",
    seats: holders,
    description: "The answer is the only time that the new text is seen.",
    body: { ...bodyOf(RotateInput, { overlap_seconds: 3600 }), isOptional: true },
    answer: CreatedKey,
  }),
  read: call("GET /api/token/{id}", "Read an API key", {
    wider: "keys.read",
    seats: holders,
    answer: KeyView,
  }),
  change: call("PATCH /api/token/{id}", "Change an API key", {
    others: "keys.write",
    wider: "keys.read",
    seats: holders,
    description: "Only what is named changes; null takes a field out.",
    body: patchOf(
      { ...ApiKeyInput.properties, project },
      {
        example: { quota_micros: 2_000_000 },
        words: { status: statusSchema },
        order: ["name", "status", ...Object.keys(ApiKeyInput.properties).slice(1), "project"],
      },
    ),
    answer: KeyView,
  }),
  revoke: call("DELETE /api/token/{id}", "Revoke an API key", {
    others: "keys.write",
    seats: holders,
    answer: removed,
  }),
};
export type KeyCalls = typeof keyCalls;
