// Deployments of LiteLLM on clouds, as channels.
import { expect, test } from "bun:test";
import { channelChecker } from "../../../config/entity-rules.ts";
import type { JsonObject } from "../../../core/json.ts";
import { toChannels } from "./deployments.ts";

function comes(params: JsonObject) {
  const deployment = { ref: "1", model: "public", params, missing: [], info: {} };
  const { channels, remarks } = toChannels([deployment], new Map(), false);
  for (const { name, settings } of channels) {
    expect(channelChecker.faults({ name, ...settings })).toEqual([]);
  }
  return { settings: channels[0]?.settings, why: remarks.map(({ why }) => why).join() };
}

test("azure/ comes by its key or by a client's secret, with its dated version", () => {
  const place = { model: "azure/my-dep", api_base: "https://res.openai.azure.com" };
  expect(comes({ ...place, api_key: "k", api_version: "2024-10-21" }).settings).toMatchObject({
    type: "azure",
    keys: ["k"],
    vendor: { api_version: "2024-10-21" },
    model_mapping: { public: "my-dep" },
    status: "enabled",
  });
  const secret = { tenant_id: "t", client_id: "c", client_secret: "s" };
  expect(comes({ ...place, ...secret }).settings?.keys).toEqual([JSON.stringify(secret)]);
});

test("bedrock/ comes by a pair, a role and a region, on the wire of its model", () => {
  const pair = { aws_access_key_id: "AKIA1", aws_secret_access_key: "secret" };
  const region = { aws_region_name: "us-east-1" };
  const model = "us.anthropic.claude-sonnet-4-20250514-v1:0";
  const role = { aws_role_name: "arn:aws:iam::1:role/r", aws_external_id: "x" };
  expect(comes({ model: `bedrock/${model}`, ...pair, ...region, ...role }).settings).toMatchObject({
    type: "bedrock",
    format: "messages",
    base_url: "https://bedrock-runtime.us-east-1.amazonaws.com",
    keys: ["AKIA1:secret"],
    vendor: { region: "us-east-1", role_arn: "arn:aws:iam::1:role/r", external_id: "x" },
    model_mapping: { public: model },
  });
  expect(comes({ model: `bedrock/converse/${model}`, ...pair, ...region }).settings).toMatchObject({
    format: "converse",
    model_mapping: { public: model },
  });
  expect(comes({ model: `bedrock/${model}`, ...pair }).why).toContain("has no address");
});

test("vertex_ai/ comes with its account; what stands in a file is off and named", () => {
  const account = { client_email: "a@b.c", private_key: "key", project_id: "mine" };
  const place = { vertex_project: "mine", vertex_location: "us-east5" };
  const claude = { model: "vertex_ai/claude-sonnet-4-5@20250929", ...place };
  expect(comes({ ...claude, vertex_credentials: account }).settings).toMatchObject({
    type: "vertex",
    format: "messages",
    keys: [JSON.stringify(account)],
    vendor: { project: "mine", location: "us-east5" },
    model_mapping: { public: "claude-sonnet-4-5@20250929" },
    status: "enabled",
  });
  const inFile = comes({ ...claude, vertex_credentials: "/etc/account.json" });
  expect(inFile.settings?.status).toBe("disabled");
  expect(inFile.why).toContain("has no key in the file, so it is off");
});
