// Channels of clouds as they come from programs of this lineage.
import { describe, expect, test } from "bun:test";
import { channelChecker } from "../../../config/entity-rules.ts";
import type { SnapshotChannel } from "../snapshot.ts";
import { cloudChannels } from "./cloud-channels.ts";

const account = JSON.stringify({ client_email: "a@b.c", private_key: "key", project_id: "mine" });

interface Had {
  type: SnapshotChannel["settings"]["type"];
  keys: string[];
  models: string[];
  base?: string;
  mapping?: Record<string, string>;
}

function comes({ type, keys, models, base = "https://x.test", mapping }: Had, row: object) {
  const remarks: string[] = [];
  const settings = {
    type,
    base_url: base,
    keys,
    models,
    ...(mapping && { model_mapping: mapping }),
  };
  const channel = { ref: "1", name: "cloud", groups: ["default"], settings, disabledKeys: [] };
  const channels = cloudChannels(channel, { ...row }, (why) => void remarks.push(why));
  for (const { name, settings: come } of channels) {
    expect(channelChecker.faults({ name, ...come })).toEqual([]);
  }
  return { channels, remarks, settings: channels.map((one) => one.settings) };
}

describe("AWS", () => {
  test("comes as a pair and its region, one channel for each wire", () => {
    const models = ["claude-3-5-sonnet-20241022", "claude-sonnet-4-20250514", "nova-pro"];
    const { settings, remarks } = comes(
      { type: "bedrock", keys: ["AKIA1|secret|eu-west-1"], models },
      {},
    );
    expect(settings).toMatchObject([
      {
        base_url: "https://bedrock-runtime.eu-west-1.amazonaws.com",
        keys: ["AKIA1:secret"],
        format: "messages",
        vendor: { region: "eu-west-1" },
        model_mapping: {
          "claude-3-5-sonnet-20241022": "eu.anthropic.claude-3-5-sonnet-20241022-v2:0",
          "claude-sonnet-4-20250514": "eu.anthropic.claude-sonnet-4-20250514-v1:0",
        },
      },
      { format: "converse", model_mapping: { "nova-pro": "eu.amazon.nova-pro-v1:0" } },
    ]);
    expect(remarks.join()).toContain("look them through");
  });

  test("comes by an API key, and by a name that is Amazon's already", () => {
    const had: Had = {
      type: "bedrock",
      keys: ["bedrock-key|us-east-1"],
      models: ["mine"],
      mapping: { mine: "us.anthropic.claude-opus-4-6-v1" },
    };
    expect(comes(had, {}).settings).toMatchObject([
      { keys: ["bedrock-key"], model_mapping: { mine: "us.anthropic.claude-opus-4-6-v1" } },
    ]);
  });

  test("with keys of several regions is named, and does not come", () => {
    const keys = ["a|b|us-east-1", "c|d|eu-west-1"];
    const { channels, remarks } = comes({ type: "bedrock", keys, models: ["nova-pro"] }, {});
    expect(channels).toEqual([]);
    expect(remarks.join()).toContain("make a channel for each");
  });
});

describe("Vertex", () => {
  test("comes with its account, its regions by model, and a channel for each wire", () => {
    const models = ["gemini-3-pro", "claude-sonnet-4-5-20250929", "meta/llama-4"];
    const other = JSON.stringify({ default: "global", "claude-sonnet-4-5-20250929": "us-east5" });
    const { channels, settings } = comes({ type: "vertex", keys: [account], models }, { other });
    expect(channels.map(({ ref, name }) => `${ref} ${name}`)).toEqual([
      "1 cloud",
      "1-2 cloud 2",
      "1-3 cloud 3",
    ]);
    expect(settings).toMatchObject([
      { format: "content", vendor: { location: "global" }, models: ["gemini-3-pro"] },
      {
        format: "messages",
        vendor: { location: "us-east5" },
        model_mapping: { "claude-sonnet-4-5-20250929": "claude-sonnet-4-5@20250929" },
      },
      { format: "chat", models: ["meta/llama-4"] },
    ]);
  });

  test("by an API key comes for Google's own models alone", () => {
    const models = ["gemini-3-pro", "claude-x"];
    const { settings, remarks } = comes({ type: "vertex", keys: ["express"], models }, {});
    expect(settings.map((one) => one.models)).toEqual([["gemini-3-pro"]]);
    expect(remarks.join()).toContain("needs a service account for claude-x");
  });
});
