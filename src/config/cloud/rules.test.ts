import { describe, expect, test } from "bun:test";
import { cloudKeyFault, vendorFaults } from "./rules.ts";

const account = { client_email: "a@b", private_key: "canary-secret-0001" };
const federation = { audience: "a", subject_token_type: "t" };
const source = { url: "https://token.example/t" };

describe("a key of several parts", () => {
  test.each<[string, object, boolean]>([
    ["azure", { tenant_id: "t", client_id: "c", client_secret: "s" }, true],
    ["azure", { identity_client_id: "c" }, true],
    ["azure", { client_id: "c", client_secret: "canary-secret-0001" }, false],
    ["bedrock", { access_key_id: "a", secret_access_key: "s" }, true],
    ["bedrock", { access_key_id: "a" }, false],
    ["vertex", account, true],
    ["vertex", { ...account, token_uri: "https://oauth2.googleapis.com/token" }, true],
    ["vertex", { ...account, token_uri: "https://evil.example/token" }, false],
    ["vertex", { ...federation, credential_source: source }, true],
    ["vertex", { ...federation, credential_source: { file: "/etc/shadow" } }, false],
    ["vertex", { ...federation, credential_source: { url: "http://169.254.169.254/" } }, false],
    [
      "vertex",
      {
        ...federation,
        credential_source: source,
        service_account_impersonation_url: "https://evil.example/",
      },
      false,
    ],
  ])("of %s, %p is taken: %p", (type, parts, isTaken) => {
    const fault = cloudKeyFault({ type }, JSON.stringify(parts), "operator");
    expect(fault === null).toBe(isTaken);
    expect(fault ?? "").not.toContain("canary-secret-0001");
  });

  test("may name no file of the machine, whatever else is permitted", () => {
    const parts = { ...federation, credential_source: { file: "/etc/shadow" } };
    const channel = { type: "vertex", allow_private: true };
    expect(cloudKeyFault(channel, JSON.stringify(parts), "root")).toContain("of the machine");
  });
});

describe("the fields of a cloud", () => {
  test.each([
    ["https://bedrock-runtime.us-east-1.amazonaws.com", []],
    ["https://bedrock-runtime.eu-west-1.amazonaws.com", ["vendor.region"]],
    ["https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com", ["vendor.region"]],
    ["https://bedrock-mantle.eu-west-1.api.aws/v1", ["vendor.region"]],
    ["https://vpce-1.bedrock-runtime.eu-west-1.vpce.amazonaws.com", []],
    ["https://proxy.example/bedrock", []],
  ])("at %s the region us-east-1 has faults in %p", (base_url, paths) => {
    const vendor = { region: "us-east-1" };
    const faults = vendorFaults({ type: "bedrock", base_url, vendor });
    expect(faults.map(({ path }) => path)).toEqual(paths);
  });

  test.each([
    ["azure", { api_version: "2024-10-21" }, []],
    ["azure", { region: "us-east-1" }, ["vendor.region"]],
    ["openai", { region: "us-east-1" }, ["vendor.region"]],
    ["bedrock", { region: "us-east-1", role_arn: "r", external_id: "e" }, []],
    ["vertex", { project: "p", location: "global" }, []],
    ["azure", { authority: "https://login.microsoftonline.us" }, []],
    ["azure", { authority: "http://login.microsoftonline.us" }, ["vendor.authority"]],
    ["azure", { authority: "https://login.microsoftonline.us.evil.example" }, ["vendor.authority"]],
    ["bedrock", { authority: "https://sts.eu-west-1.amazonaws.com" }, []],
    ["bedrock", { authority: "https://sts.evil.amazonaws.com.evil.example" }, ["vendor.authority"]],
    ["vertex", { authority: "https://oauth2.googleapis.com/token" }, []],
    ["azure", { authority: "http://127.0.0.1:1" }, ["vendor.authority"]],
  ])("of %s, %p have faults in %p", (type, vendor, paths) => {
    expect(vendorFaults({ type, vendor }).map(({ path }) => path)).toEqual(paths);
  });

  test("may lead to one's own machine where the channel may", () => {
    const vendor = { authority: "http://127.0.0.1:1" };
    expect(vendorFaults({ type: "azure", vendor, allow_private: true })).toEqual([]);
    const other = { authority: "http://evil.example" };
    expect(vendorFaults({ type: "azure", vendor: other, allow_private: true })).toHaveLength(1);
  });
});
