// What is done with channels, and what the reference says of it.
import { ChannelInput } from "../../config/entities.ts";
import type { ReferenceEntry } from "../../core/reference-entry.ts";
import { text, whole, word } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { removed } from "../contract/basics.ts";
import { byGroup, byName, bySort, byStatus } from "../search.ts";
import { verbsOf } from "../verb.ts";
import { batchBody, changeChannels, copyChannel } from "./batch.ts";
import { changeChannel } from "./change.ts";
import {
  ChannelBatch,
  ChannelDeclarations,
  ChannelImport,
  ChannelPreset,
  ChannelTest,
  ChannelView,
  Discovery,
} from "./contract.ts";
import { createChannel } from "./create.ts";
import { discoverModels, listPresets } from "./discover.ts";
import { channelSorts, listChannelViews } from "./list.ts";
import { readChannel } from "./read.ts";
import { removeChannel } from "./remove.ts";
import { exportChannels, importChannels, importChecker } from "./yaml.ts";

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
  batch: verb("Change or delete many channels", "body", changeChannels, {
    description: "All of them or none. Each has its own entry in the audit log.",
    body: {
      schema: batchBody,
      example: { ids: ["chn_01j00000000000000000000000"], change: { weight: 2 } },
    },
    answer: ChannelBatch,
  }),
  copy: verb("Copy a channel", "idAndOptionalBody", copyChannel, {
    description: "With its keys, under another name, and disabled.",
    body: {
      schema: Type.Object({ name: Type.Optional(text()) }),
      example: { name: "a copy" },
      isOptional: true,
    },
    answer: ChannelView,
  }),
  exportAll: verb("Read all channels as YAML", "nothing", exportChannels, {
    description: "For the configuration file, or for another gateway. Keys are not in it.",
    answer: ChannelDeclarations,
  }),
  importAll: verb("Make and change channels by YAML", "body", importChannels, {
    description:
      "By their names, all of them or none. A key that is a variable, as an export has it, " +
      "leaves the one that is there.",
    body: {
      schema: importChecker.schema,
      example: {
        yaml:
          "channels:\n  - name: by-yaml\n    type: openai\n" +
          "    base_url: https://api.example.com\n    key: sk-example\n    models: [m]\n",
        dry_run: true,
      },
    },
    answer: ChannelImport,
  }),
};

const streamed = {
  stream: {
    schema: word("1"),
    description:
      "Told as it goes, by events `resolved`, `connected`, `answered`, `first_token` and `done`, " +
      "each with the milliseconds since the first; `failed` in place of the last.",
  },
};

/** They may be told as they go, so the routes themselves run them. */
export const trialEntries = {
  saved: {
    tag: "Channels",
    summary: "Try a channel out",
    description:
      "Asks for a tiny answer, or where that would cost a job only whether the key works.",
    query: streamed,
    isStreamed: true,
    body: {
      schema: Type.Object({
        model: Type.Optional(text()),
        key: Type.Optional(whole("Which key, from 0 on.")),
      }),
      example: {},
      isOptional: true,
    },
    answer: ChannelTest,
  },
  draft: {
    tag: "Channels",
    summary: "Try a channel out before it is made",
    description: "The fields of a channel, and the model to ask for. Nothing is written.",
    query: streamed,
    isStreamed: true,
    body: {
      schema: Type.Object({
        model: Type.Optional(text()),
        ...Type.Partial(ChannelInput).properties,
      }),
      example: {
        type: "openai",
        base_url: "https://api.example.com",
        key: "sk-example",
        models: ["m"],
      },
    },
    answer: ChannelTest,
  },
} satisfies Record<string, ReferenceEntry>;
