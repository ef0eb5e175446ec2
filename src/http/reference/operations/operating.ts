// What an operator sets up: channels, groups, prices, accounts.
import { creditChecker, userChangeChecker, userChecker } from "../../../admin/user/fields.ts";
import { tokenChecker } from "../../../admin/user/access-token.ts";
import { invitationChecker } from "../../../admin/invitation/create.ts";
import { ChannelInput, GroupInput, PriceInput } from "../../../config/entities.ts";
import { Type, type TSchema } from "../../../core/schema.ts";
import { text, type Operations } from "../operation.ts";
import * as accounts from "../views/accounts.ts";
import { listOf, pages, removed } from "../views/basics.ts";
import * as running from "../views/running.ts";

/** Any of the fields. */
const partOf = (schema: TSchema) => Type.Partial(schema);

export const operatingOperations: Operations = {
  "GET /api/channel": {
    tag: "Channels",
    summary: "List channels",
    query: pages,
    answer: listOf(running.channel),
  },
  "POST /api/channel": {
    tag: "Channels",
    summary: "Create a channel",
    description: "Its keys are never shown again.",
    body: {
      schema: ChannelInput,
      example: {
        name: "example",
        type: "openai",
        base_url: "https://api.example.com",
        key: "sk-example",
        models: ["example-model"],
      },
    },
    answer: running.channel,
  },
  "GET /api/channel/{id}": { tag: "Channels", summary: "Read a channel", answer: running.channel },
  "PATCH /api/channel/{id}": {
    tag: "Channels",
    summary: "Change a channel",
    description: "A new base_url needs the key again.",
    body: { schema: partOf(ChannelInput), example: { weight: 2 } },
    answer: running.channel,
  },
  "DELETE /api/channel/{id}": { tag: "Channels", summary: "Delete a channel", answer: removed },
  "POST /api/channel/{id}/test": {
    tag: "Channels",
    summary: "Try a channel out",
    description:
      "Asks for a tiny answer, or where that would cost a job only whether the key works.",
    body: {
      schema: Type.Object({ model: Type.Optional(text()) }),
      example: {},
      isOptional: true,
    },
    answer: running.channelTest,
  },
  "GET /api/group": {
    tag: "Groups",
    summary: "List groups",
    query: pages,
    answer: listOf(running.group),
  },
  "POST /api/group": {
    tag: "Groups",
    summary: "Create or change a group",
    body: { schema: GroupInput, example: { name: "partners", multiplier: 1.25 } },
    answer: running.group,
  },
  "DELETE /api/group": {
    tag: "Groups",
    summary: "Delete a group, by a name of any characters",
    query: { name: { schema: text(), isRequired: true } },
    answer: Type.Object({ name: text() }),
  },
  "DELETE /api/group/{name}": {
    tag: "Groups",
    summary: "Delete a group",
    answer: Type.Object({ name: text() }),
  },
  "GET /api/price": {
    tag: "Prices",
    summary: "List prices",
    query: pages,
    answer: listOf(running.price),
  },
  "POST /api/price": {
    tag: "Prices",
    summary: "Set a model's price",
    body: {
      schema: PriceInput,
      example: {
        model: "example-model",
        input_micros_per_million: 500_000,
        output_micros_per_million: 2_000_000,
      },
    },
    answer: running.price,
  },
  "DELETE /api/price": {
    tag: "Prices",
    summary: "Go back to the catalogue's price",
    query: { model: { schema: text(), isRequired: true } },
    answer: Type.Object({ model: text() }),
  },
  "GET /api/user": {
    tag: "Accounts",
    summary: "List accounts",
    query: pages,
    answer: listOf(accounts.user),
  },
  "POST /api/user": {
    tag: "Accounts",
    summary: "Create an account",
    body: {
      schema: userChecker.schema,
      example: {
        username: "ann",
        password: "correct horse battery staple",
        quota_micros: 5_000_000,
      },
    },
    answer: accounts.user,
  },
  "GET /api/user/{id}": { tag: "Accounts", summary: "Read an account", answer: accounts.user },
  "PATCH /api/user/{id}": {
    tag: "Accounts",
    summary: "Change an account",
    body: { schema: userChangeChecker.schema, example: { requests_per_minute: 600 } },
    answer: accounts.user,
  },
  "DELETE /api/user/{id}": {
    tag: "Accounts",
    summary: "Disable an account",
    answer: accounts.user,
  },
  "POST /api/user/{id}/credit": {
    tag: "Accounts",
    summary: "Give credit, or take back what is left",
    body: { schema: creditChecker.schema, example: { micros: 1_000_000, reason: "invoice 17" } },
    answer: accounts.credit,
  },
  "POST /api/user/{id}/token": {
    tag: "Accounts",
    summary: "Create an access token for an account",
    body: { schema: tokenChecker.schema, example: { name: "script" }, isOptional: true },
    answer: accounts.createdToken,
  },
  "DELETE /api/user/{id}/token": {
    tag: "Accounts",
    summary: "Revoke all access tokens of an account",
    answer: Type.Object({ revoked: Type.Integer() }),
  },
  "DELETE /api/user/{id}/second-factor": {
    tag: "Accounts",
    summary: "Take an account's second factors off, for someone who is locked out",
    answer: removed,
  },
  "GET /api/invitation": {
    tag: "Accounts",
    summary: "List invitations",
    query: pages,
    answer: listOf(accounts.invitation),
  },
  "POST /api/invitation": {
    tag: "Accounts",
    summary: "Create an invitation",
    body: { schema: invitationChecker.schema, example: { note: "for Ann" }, isOptional: true },
    answer: accounts.createdInvitation,
  },
  "DELETE /api/invitation/{id}": {
    tag: "Accounts",
    summary: "Delete an invitation",
    answer: removed,
  },
};
