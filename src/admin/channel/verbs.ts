// What is done with channels, and what the reference says of it.
import { ChannelInput } from "../../config/entities.ts";
import { text } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { listOf, pages, removed } from "../contract/basics.ts";
import { verb } from "../verb.ts";
import { changeChannel } from "./change.ts";
import { ChannelTest, ChannelView } from "./contract.ts";
import { createChannel } from "./create.ts";
import { listChannelViews } from "./list.ts";
import { testChannel } from "./probe.ts";
import { readChannel } from "./read.ts";
import { removeChannel } from "./remove.ts";

const tag = "Channels";

export const channels = {
  list: verb({
    tag,
    summary: "List channels",
    takes: "query",
    query: pages,
    answer: listOf(ChannelView),
    run: listChannelViews,
  }),
  create: verb({
    tag,
    summary: "Create a channel",
    description: "Its keys are never shown again.",
    takes: "body",
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
    answer: ChannelView,
    run: createChannel,
  }),
  read: verb({
    tag,
    summary: "Read a channel",
    takes: "id",
    answer: ChannelView,
    run: readChannel,
  }),
  change: verb({
    tag,
    summary: "Change a channel",
    description: "A new base_url needs the key again.",
    takes: "idAndBody",
    body: { schema: Type.Partial(ChannelInput), example: { weight: 2 } },
    answer: ChannelView,
    run: changeChannel,
  }),
  remove: verb({
    tag,
    summary: "Delete a channel",
    takes: "id",
    answer: removed,
    run: removeChannel,
  }),
  test: verb({
    tag,
    summary: "Try a channel out",
    description:
      "Asks for a tiny answer, or where that would cost a job only whether the key works.",
    takes: "trial",
    body: {
      schema: Type.Object({ model: Type.Optional(text()) }),
      example: {},
      isOptional: true,
    },
    answer: ChannelTest,
    run: testChannel,
  }),
};
