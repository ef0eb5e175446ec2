// Passkeys in a real browser, with a device that the browser itself pretends to have: set up as a
// second factor, used as one, and used alone.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { password } from "../harness/browser.ts";
import {
  browserMsMax,
  needBrowser,
  type Browser,
  type BrowserContext,
  type Page,
} from "../harness/chromium.ts";
import { attachDevice, createPasskey, usePasskey } from "../harness/e2e/device.ts";
import { askFrom, callFrom, plainPath, signInFrom, whoIsAt } from "../harness/e2e/page.ts";
import { ownPath } from "../harness/factors/sign-in.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";

setDefaultTimeout(60_000);

let browser: Browser;
let gateway: Gateway;
/** Passkeys belong to a host name, and on this machine there is one only. */
let origin: string;

beforeAll(async () => {
  browser = await needBrowser();
  gateway = await startGateway({ config: 'sandbox: "off"\n' });
  origin = gateway.url.replace("127.0.0.1", "localhost");
}, browserMsMax);

afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
});

interface Ask {
  ticket: string;
  passkey: object;
}

async function openPlain(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${origin}${plainPath}`);
  return page;
}

async function newPerson(): Promise<string> {
  const username = `person-${crypto.randomUUID().slice(0, 8)}`;
  await gateway.control("POST", "/api/user", { username, password });
  return username;
}

/** Signs in by password, has the page's device make a passkey, and registers it. */
async function enrol(page: Page, username: string): Promise<{ id: string }> {
  await signInFrom(page, username);
  const ask = await askFrom<Ask>(page, "POST", `${ownPath}/passkey/options`, { password });
  const passkey = await createPasskey(page, ask.passkey);
  const body = { ticket: ask.ticket, name: "laptop", passkey };
  return await askFrom<{ id: string }>(page, "POST", `${ownPath}/passkey`, body);
}

/** Has the device answer, with the ticket of a first half or without. */
async function answer(page: Page, ticket?: string): Promise<object> {
  const asked = ticket === undefined ? {} : { ticket };
  const ask = await askFrom<Ask>(page, "POST", "/api/user/login/passkey", asked);
  return { ticket: ask.ticket, passkey: await usePasskey(page, ask.passkey) };
}

async function firstHalf(page: Page, username: string): Promise<string> {
  const { data } = await signInFrom(page, username);
  const { second_factor: kinds, ticket } = data as { second_factor: string[]; ticket: string };
  expect(kinds).toEqual(["passkey"]);
  return ticket;
}

test("U3 in a real browser a passkey is the second half of signing in", async () => {
  const username = await newPerson();
  await using context = await browser.newContext();
  const page = await openPlain(context);
  await attachDevice(page);
  await enrol(page, username);
  await askFrom(page, "POST", "/api/user/logout");
  const ticket = await firstHalf(page, username);
  expect(await whoIsAt(page)).toBeNull();
  const second = await callFrom(page, "POST", "/api/user/login/second", await answer(page, ticket));
  expect(second).toMatchObject({ success: true, data: { username } });
  expect(await whoIsAt(page)).toBe(username);
  const own = await askFrom(page, "GET", ownPath);
  expect(own).toMatchObject({ passkeys: [{ name: "laptop", last_used_at: expect.any(Number) }] });
});

test("U3 in a real browser a passkey alone signs in, once its device knows who it is", async () => {
  const username = await newPerson();
  await using context = await browser.newContext();
  const page = await openPlain(context);
  const device = await attachDevice(page);
  await enrol(page, username);
  await askFrom(page, "POST", "/api/user/logout");
  const alone = await callFrom(page, "POST", "/api/user/login/second", await answer(page));
  expect(alone).toMatchObject({ success: true, data: { username } });
  expect(await whoIsAt(page)).toBe(username);
  await askFrom(page, "POST", "/api/user/logout");
  await device.forgetsItsUser();
  expect(await answer(page).catch(String)).toContain("NotAllowedError");
  expect(await whoIsAt(page)).toBeNull();
});

test("U3 in a real browser an answer is good once, and in the browser that was asked", async () => {
  const username = await newPerson();
  await using context = await browser.newContext();
  const page = await openPlain(context);
  await attachDevice(page);
  await enrol(page, username);
  await askFrom(page, "POST", "/api/user/logout");
  const body = await answer(page, await firstHalf(page, username));
  await using another = await browser.newContext();
  const stranger = await openPlain(another);
  const taken = await callFrom(stranger, "POST", "/api/user/login/second", body);
  expect(taken).toMatchObject({ success: false });
  expect(await whoIsAt(stranger)).toBeNull();
  expect(await callFrom(page, "POST", "/api/user/login/second", body)).toMatchObject({
    success: true,
  });
  const again = await callFrom(page, "POST", "/api/user/login/second", body);
  expect(again).toMatchObject({ success: false });
});

test("U3 in a real browser no device is registered twice, and one that was removed is no factor", async () => {
  const username = await newPerson();
  await using context = await browser.newContext();
  const page = await openPlain(context);
  await attachDevice(page);
  const { id } = await enrol(page, username);
  const { ticket, passkey } = await askFrom<Ask>(page, "POST", `${ownPath}/challenge`, {});
  const proof = { ticket, passkey: await usePasskey(page, passkey) };
  const options = await askFrom<Ask>(page, "POST", `${ownPath}/passkey/options`, proof);
  const second = await createPasskey(page, options.passkey).catch(String);
  expect(second).toContain("InvalidStateError");
  const last = await askFrom<Ask>(page, "POST", `${ownPath}/challenge`, {});
  const proven = { ticket: last.ticket, passkey: await usePasskey(page, last.passkey) };
  await askFrom(page, "POST", `${ownPath}/passkey/${id}/remove`, proven);
  await askFrom(page, "POST", "/api/user/logout");
  expect(await signInFrom(page, username)).toMatchObject({ success: true, data: { username } });
});

test("U3 in a real browser passkeys need a host name, and the gateway says so", async () => {
  const username = await newPerson();
  await using context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${gateway.url}${plainPath}`);
  await signInFrom(page, username);
  const refused = await callFrom(page, "POST", `${ownPath}/passkey/options`, { password });
  expect(refused).toMatchObject({ success: false, code: "invalid_host" });
  expect(refused.message).toContain("server.public_url");
});

test("U3 in the console a passkey is added, and alone signs in by its button", async () => {
  const username = await newPerson();
  await using context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(`${origin}/console/account`);
  await attachDevice(page);
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByLabel("Confirm it's you").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("laptop");
  await page.keyboard.press("Enter");
  const codes = page.getByRole("dialog", { name: "Recovery codes" });
  await codes.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("listitem").filter({ hasText: "laptop" }).waitFor();
  await askFrom(page, "POST", "/api/user/logout");
  await page.reload();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
  expect(await whoIsAt(page)).toBe(username);
});

test("U3 in the console a passkey proves a change, and so does a code on paper", async () => {
  const username = await newPerson();
  await using context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await openPlain(context);
  await attachDevice(page);
  await enrol(page, username);
  await page.goto(`${origin}/console/account`);
  const line = page.getByRole("listitem").filter({ hasText: "Recovery codes" });
  await line.getByRole("button").click();
  const proof = page.getByRole("dialog", { name: "Recovery codes" });
  await proof.getByRole("button", { name: "Use a passkey" }).click();
  const codes = proof.filter({ hasText: "Shown only once" });
  const first = /[a-z0-9-]{8,}/i.exec(await codes.locator("pre, code").first().innerText());
  await codes.getByRole("button", { name: "I have saved it" }).click();
  await line.getByRole("button").click();
  await proof.getByLabel("Confirm it's you").fill(first?.[0] ?? "");
  await proof.getByRole("button", { name: "Continue" }).click();
  await codes.getByRole("button", { name: "I have saved it" }).waitFor();
});
