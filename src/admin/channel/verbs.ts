// What is done with channels, and what the reference says of it.
import { ChannelInput } from "../../config/entities.ts";
import { text, word } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { removed } from "../contract/basics.ts";
import { byGroup, byName, bySort, byStatus } from "../search.ts";
import { verbsOf } from "../verb.ts";
import { changeChannel } from "./change.ts";
import { ChannelPreset, ChannelTest, ChannelView, Discovery } from "./contract.ts";
import { createChannel } from "./create.ts";
import { discoverModels, listPresets } from "./discover.ts";
import { channelSorts, listChannelViews } from "./list.ts";
import { testChannel } from "./probe.ts";
import { readChannel } from "./read.ts";
import { removeChannel } from "./remove.ts";

const { list, verb } = verbsOf("Channels");

export const channelVerbs = {
  list: list("List channels", ChannelView, listChannelViews, {
    ...byName,
    ...byStatus,
    ...byGroup,
    ...bySort(channelSorts),
    type: { schema: text(), description: "Of this type only." },
    model: { schema: text() },
    sandbox: {
      schema: word("true", "false"),
      description: "With the built-in vendors behind the others.",
    },
  }),
  create: verb("Create a channel", "body", createChannel, {
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
    answer: ChannelView,
  }),
  presets: verb("List the vendors that are known by name", "nothing", listPresets, {
    description: "Each has the fields of a channel that lead to it; a key and models are missing.",
    answer: Type.Object({ items: Type.Array(ChannelPreset) }),
  }),
  discover: verb("List a vendor's models and their prices", "body", discoverModels, {
    description: "Of a channel by its id, or of one that is not made yet by its fields.",
    body: {
      schema: Type.Object({ id: Type.Optional(text()), ...Type.Partial(ChannelInput).properties }),
      example: { type: "openai", base_url: "https://api.example.com", key: "sk-example" },
    },
    answer: Discovery,
  }),
  read: verb("Read a channel", "id", readChannel, { answer: ChannelView }),
  change: verb("Change a channel", "idAndBody", changeChannel, {
    description: "A new base_url needs the key again.",
    body: { schema: Type.Partial(ChannelInput), example: { weight: 2 } },
    answer: ChannelView,
  }),
  remove: verb("Delete a channel", "id", removeChannel, { answer: removed }),
  test: verb("Try a channel out", "trial", testChannel, {
    description:
      "Asks for a tiny answer, or where that would cost a job only whether the key works.",
    body: {
      schema: Type.Object({ model: Type.Optional(text()) }),
      example: {},
      isOptional: true,
    },
    answer: ChannelTest,
  }),
};
