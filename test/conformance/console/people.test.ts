// Settings of people for themselves, facts for visitors, and links that sign someone in once.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newPerson } from "../../harness/accounts/usage.ts";
import { Browser } from "../../harness/browser.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";

let gateway: Gateway;

beforeAll(async () => {
  const environment = { SLUICE_ROOT_PASSWORD: "" };
  gateway = await startGateway({ environment, needsPublicUrl: true });
});

afterAll(() => gateway[Symbol.asyncDispose]());

test("a profile is set field by field, taken out by null, and refused where it makes no sense", async () => {
  const { token } = await newPerson(gateway, 0);
  const change = async (body: object) =>
    await gateway.controlEnvelope("PATCH", "/api/user/self", body, token);
  const profile = {
    display_name: "Ann <b>Lee</b>",
    language: "zh",
    zone: "Asia/Shanghai",
    low_balance_micros: 5_000_000,
  };
  expect((await change(profile)).data).toMatchObject(profile);
  expect((await change({ zone: null })).data).toMatchObject({ ...profile, zone: null });
  const { data } = await gateway.controlEnvelope("GET", "/api/user/self", undefined, token);
  expect(data).toMatchObject({ ...profile, zone: null });
  for (const [field, value] of Object.entries({ zone: "Mars/Base", language: "English" })) {
    expect(await change({ [field]: value })).toMatchObject({ success: false, param: field });
  }
});

test("visitors are told what is for them, and nothing else", async () => {
  const announce = async (title: string, more: object) =>
    await gateway.control("POST", "/api/announcement", { title, text: "Words.", ...more });
  await announce("for all", { for_visitors: true, level: "warning" });
  await announce("for members", {});
  await announce("over", { for_visitors: true, ends_at: 1_700_000_000 });
  const answer = await fetch(`${gateway.url}/api/announcement/open`);
  const { data } = (await answer.json()) as { data: { title: string; level: string }[] };
  expect(data).toMatchObject([{ title: "for all", level: "warning" }]);
  expect(data).toHaveLength(1);
});

async function enter(link: string): Promise<{ browser: Browser; code: string | undefined }> {
  const browser = new Browser(gateway.url);
  const { code } = await browser.call("POST", "/api/user/login/link", { link });
  return { browser, code };
}

function textOf(url: string): string {
  return url.slice(url.indexOf("#link=") + "#link=".length);
}

test("the link that a first start prints signs root in, once", async () => {
  const url = /Sign in, once, within 15 minutes:\s+(\S+)/.exec(gateway.output)?.[1] ?? "";
  expect(url).toStartWith(`${gateway.url}/#link=`);
  const { browser } = await enter(textOf(url));
  const self = await browser.ask<{ username: string }>("GET", "/api/user/self");
  expect(self.username).toBe("root");
  expect(await enter(textOf(url))).toMatchObject({ code: "invalid_state" });
});

test("a link is made by root alone, and a new password ends it", async () => {
  const [person, other] = [await newPerson(gateway, 0), await newPerson(gateway, 0)];
  const path = `/api/user/${person.id}/link`;
  const refused = await gateway.controlEnvelope("POST", path, undefined, other.token);
  expect(refused).toMatchObject({ success: false, code: "permission_denied" });
  const first = await gateway.control<{ url: string }>("POST", path);
  const second = await gateway.control<{ url: string }>("POST", path);
  const { browser } = await enter(textOf(first.url));
  expect(await browser.ask<{ id: string }>("GET", "/api/user/self")).toMatchObject({
    id: person.id,
  });
  await gateway.control("PATCH", `/api/user/${person.id}`, { password: "another long password" });
  expect(await enter(textOf(second.url))).toMatchObject({ code: "invalid_state" });
  expect(await enter("nonsense")).toMatchObject({ code: "invalid_state" });
  const audit = await gateway.control<{ items: { action: string }[] }>(
    "GET",
    `/api/audit?target_id=${person.id}`,
  );
  const actions = audit.items.map(({ action }) => action);
  expect(actions).toContain("user.link");
  expect(actions).toContain("user.link_used");
});
