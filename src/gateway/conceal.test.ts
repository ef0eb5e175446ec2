import { describe, expect, test } from "bun:test";
import { teller } from "./conceal.ts";

const key = { text: "sk-vendor-secret-0000" };
const called = { settings: { baseUrl: "https://api.vendor.test:8443/v1", headers: {} }, key };
const own = () => '{"image_url":"https://pictures.example/cat.png"}';

describe("X-U34 the operator's account in a vendor's words", () => {
  const account = "123456789012";
  const profile = `arn:aws:bedrock:us-east-1:${account}:inference-profile/us.claude`;

  test.each([
    [
      `User: arn:aws:iam::${account}:user/gateway is not authorized.`,
      "User: [resource] is not authorized.",
    ],
    [`(arn:aws-cn:sts::${account}:assumed-role/r/s), see it`, "([resource]), see it"],
    [profile, "[resource]"],
    ["arn:aws:bedrock:us-east-1::foundation-model/m.", "[resource]."],
    [`The account ${account}, or "${account}".`, 'The account [account], or "[account]".'],
    ["Account 1234-5678-9012 has no access", "Account [account] has no access"],
    [
      "model `projects/my-project-1/locations/eu` is missing",
      "model `projects/[account]/locations/eu` is missing",
    ],
    ["no /subscriptions/0f8fad5b-d9cb/resourceGroups/g here", "no [resource] here"],
    ["in organization org-Ab3dEf6hIj on tokens", "in organization [account] on tokens"],
    ["Project `proj_abc123def456` has no access", "Project `[account]` has no access"],
    ["at most 1234567890123 or 12345678901", "at most 1234567890123 or 12345678901"],
    [
      "0.123456789012 and 123456789012.5 are numbers",
      "0.123456789012 and 123456789012.5 are numbers",
    ],
    ["org_chart and project_management_tool", "org_chart and project_management_tool"],
  ])("%p is read as %p", (said, told) => {
    for (const sent of [own, null]) {
      expect(teller(called, sent).client(said)).toBe(told);
      expect(teller(called, sent).operator(said)).toBe(said);
    }
  });

  test("stays where the client has sent it", () => {
    const said = `${profile} and ${account} are not known.`;
    const sent = () => JSON.stringify({ model: profile });
    expect(teller(called, sent).client(said)).toBe(said);
  });
});

describe("a vendor's words for a client", () => {
  test.each([
    ["See https://docs.vendor.test/limits.", "See [address]."],
    ["POST https://api.vendor.test:8443/v1/chat failed", "POST [address] failed"],
    [
      "api.vendor.test:8443 is busy, and so is VENDOR.test",
      "[address] is busy, and so is [address]",
    ],
    ["no route to 10.0.7.3:8000", "no route to [address]"],
    ["dial http://worker-7:8000/generate: refused", "dial [address]: refused"],
    ["at https://me:pass@elsewhere.example/x.", "at [address]."],
    ['{"url":"https://api.vendor.test/v1"}', '{"url":"[address]"}'],
    [
      "cannot read https://pictures.example/cat.png",
      "cannot read https://pictures.example/cat.png",
    ],
    [
      "gpt-4.1 at messages.0.content, v1.2, e.g. 0.5",
      "gpt-4.1 at messages.0.content, v1.2, e.g. 0.5",
    ],
    ["write to someone@vendor.test", "write to someone@[address]"],
    ["code:429 for sk-vendor-secret-0000", "code:429 for [secret]"],
  ])("X-U32 %p are %p", (said, told) => {
    expect(teller(called, own).client(said)).toBe(told);
  });

  test("X-U32 keep what may be the client's own address where nobody knows what it sent", () => {
    const { client } = teller(called);
    const cat = "cannot read https://pictures.example/cat.png";
    expect(client(cat)).toBe(cat);
    expect(client("at https://api.vendor.test/v1 or http://10.0.0.1/v1")).toBe(
      "at [address] or [address]",
    );
  });

  test("X-U32 hide a base URL that is a name without dots, or a number", () => {
    const at = (baseUrl: string) => teller({ settings: { baseUrl, headers: {} }, key }, own).client;
    expect(at("http://vllm:8000")("vllm:8000 refused, says vllm")).toBe(
      "[address] refused, says vllm",
    );
    expect(at("http://127.0.0.1:9/v1")("connect 127.0.0.1:9 failed")).toBe(
      "connect [address] failed",
    );
  });

  test("X-U32 have no value of the channel's headers in them, nor a part of it", () => {
    const headers = { "x-workspace": "Token tok=9a8b7c6d5e4f", "x-version": "v2" };
    const { client, operator } = teller({ settings: { ...called.settings, headers }, key });
    for (const conceal of [client, operator]) {
      expect(conceal("Token tok=9a8b7c6d5e4f is bad")).toBe("[secret] is bad");
      expect(conceal("9a8b7c6d5e4f is bad in v2")).toBe("[secret] is bad in v2");
    }
  });

  test("X-U32 are whole for operators, less the key", () => {
    const said = "https://api.vendor.test/v1 refused sk-vendor-secret-0000";
    expect(teller(called).operator(said)).toBe("https://api.vendor.test/v1 refused [secret]");
  });
});

test("X-U32 a long text without spaces is looked through in no time", () => {
  const startedAtMs = performance.now();
  const { client } = teller(called, own);
  for (const piece of ["a", "a.", "a:1", "http://", "-", "a@", "org-", "arn:a:", "projects/", "1"])
    client(piece.repeat(80_000));
  expect(performance.now() - startedAtMs).toBeLessThan(2000);
});
