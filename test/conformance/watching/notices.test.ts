// Causes that need a person are told once each, by every way that is configured, and again only
// when it has ended and come back.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import OpenAI from "openai";
import { chatBody } from "../../harness/ask.ts";
import { eventually } from "../../harness/books.ts";
import { newCertificate } from "../../harness/e2e/certificate.ts";
import { startGateway, temporaryFolder, type Gateway } from "../../harness/gateway.ts";
import { Mailbox, mailPassword, mailUser } from "../../harness/notices/mailbox.ts";
import { completion, Vendor, type VendorRequest } from "../../harness/vendor.ts";

setDefaultTimeout(60_000);

const hookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const feishuSecret = "a-secret-of-feishu";
const callMicros = 200_000;

interface Kept {
  id: string;
  kind: string;
  text: string;
  ended_at: number | null;
  deliveries: { destination: string; delivered_at: number | null; error: string | null }[];
}

let isFailing = false;
let isRefusing = false;
const vendor = new Vendor((_request, reply) => {
  if (isRefusing) return reply.json({ error: { message: "Incorrect API key." } }, 401);
  if (isFailing) return reply.json({ error: { message: "down" } }, 500);
  reply.json(completion("Yes."));
});
const hooks = new Vendor(({ path }, reply) => {
  if (path === "/dead") return reply.json({}, 500);
  reply.json(path === "/refusing" ? { code: 19021, msg: "sign match fail" } : { code: 0 });
});
const folder = temporaryFolder();
let mailbox: Mailbox;
/** One that is spoken to over TLS, by a certificate that vouches for itself. */
let secure: Mailbox;
const certificate = newCertificate("localhost");
let gateway: Gateway;
let channelId: string;

function settings(notices: object, smtp: object = {}): string {
  return JSON.stringify({
    sandbox: "off",
    prices: [{ model: "chatA", call_micros: callMicros }],
    distribution: { failures_to_eject: 1, ejection_ms: 20, ejection_ms_max: 20 },
    media: { private_hosts: [new URL(hooks.url).host] },
    notices: {
      check_seconds: 1,
      low_balance_micros: 500_000,
      channel_out_minutes: 0,
      disk_free_percent: 100,
      smtp: {
        host: "127.0.0.1",
        port: mailbox.port,
        tls: "none",
        user: mailUser,
        password: mailPassword,
        from: "sluice@gateway.example",
        ...smtp,
      },
      destinations: [
        { name: "hook", type: "webhook", hook_url: `${hooks.url}/hook`, secret: hookSecret },
        { name: "mail", type: "email", to: ["ops@gateway.example"], kinds: ["low_balance"] },
        { name: "slack", type: "slack", hook_url: `${hooks.url}/slack`, kinds: ["key_died"] },
        {
          name: "feishu",
          type: "feishu",
          hook_url: `${hooks.url}/feishu`,
          secret: feishuSecret,
          kinds: ["channel_out", "low_key"],
        },
        { name: "refusing", type: "feishu", hook_url: `${hooks.url}/refusing`, kinds: [] },
      ],
      ...notices,
    },
  });
}

beforeAll(async () => {
  mailbox = await Mailbox.open();
  secure = await Mailbox.open(certificate);
  gateway = await startGateway({ folder, config: settings({}) });
  const channel = vendor.channel({ name: "main" });
  ({ id: channelId } = await gateway.control<{ id: string }>("POST", "/api/channel", channel));
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await mailbox[Symbol.asyncDispose]();
  await secure[Symbol.asyncDispose]();
  hooks[Symbol.dispose]();
  vendor[Symbol.dispose]();
});

/** The so-manieth call of a hook that has this in it, once it has come. */
async function called(path: string, part: string, times = 1): Promise<VendorRequest> {
  return await eventually(`a call of ${path} with ${part}`, async () => {
    return hooks.requests.filter((one) => one.path === path && one.text.includes(part))[times - 1];
  });
}

async function notices(kind: string): Promise<Kept[]> {
  const { items } = await gateway.control<{ items: Kept[] }>("GET", "/api/notice?page_size=100");
  return items.filter((one) => one.kind === kind);
}

async function ended(kind: string): Promise<void> {
  await eventually(`the end of ${kind}`, async () => {
    const [latest] = await notices(kind);
    return latest && latest.ended_at !== null ? latest : undefined;
  });
}

async function ask(key?: string): Promise<number> {
  const response = await gateway.post("/v1/chat/completions", chatBody("chatA"), key);
  await response.text();
  return response.status;
}

describe("a notice", () => {
  test("of a low balance comes by e-mail and as a signed webhook, and again after a credit", async () => {
    const { id, key } = await gateway.customer(600_000);
    const { username } = await gateway.control<{ username: string }>("GET", `/api/user/${id}`);
    expect(await ask(key)).toBe(200);
    const mail = await mailbox.has(username);
    expect(mail).toMatchObject({ from: "sluice@gateway.example", to: ["ops@gateway.example"] });
    expect(mail.text).toContain("$0.40 left");
    const { text, headers } = await called("/hook", `account ${username}`);
    const { webhooks } = new OpenAI({ apiKey: "none" });
    expect(await webhooks.unwrap(text, headers, hookSecret)).toMatchObject({
      type: "notice.low_balance",
      data: { account: username, left_micros: 400_000 },
    });
    await gateway.control("POST", `/api/user/${id}/credit`, { micros: 150_000, reason: "more" });
    await ended("low_balance");
    expect(await ask(key)).toBe(200);
    await mailbox.has(username, 2);
    expect(mailbox.mails.filter((one) => one.text.includes(username))).toHaveLength(2);
  });

  test("of a vendor's key that died comes to Slack, once until the key lives again", async () => {
    isRefusing = true;
    expect(await ask()).not.toBe(200);
    const { body } = await called("/slack", "main");
    expect(body).toEqual({ text: expect.stringMatching(/^\[Sluice\] The vendor refused the key/) });
    isRefusing = false;
    await gateway.control("POST", `/api/channel/${channelId}/test`, {});
    await gateway.control("PATCH", `/api/channel/${channelId}`, { key: "sk-vendor-secret-0001" });
    await ended("key_died");
    isRefusing = true;
    expect(await ask()).not.toBe(200);
    isRefusing = false;
    await called("/slack", "main", 2);
    await gateway.control("PATCH", `/api/channel/${channelId}`, { key: "sk-vendor-secret-0002" });
    await ended("key_died");
  });

  test("of a channel that stays put aside comes to Feishu, signed, and ends when it serves", async () => {
    isFailing = true;
    expect(await ask()).not.toBe(200);
    const { body } = await called("/feishu", "main was put aside");
    isFailing = false;
    const { timestamp, sign } = body as { timestamp: string; sign: string };
    const expected = createHmac("sha256", `${timestamp}\n${feishuSecret}`).digest("base64");
    expect([body["msg_type"], sign]).toEqual(["text", expected]);
    await eventually("an answer", async () => ((await ask()) === 200 ? true : undefined));
    await ended("channel_out");
  });

  test("of a key near its limit comes to its owner's address too, signed with their secret", async () => {
    const { id } = await gateway.customer(5_000_000);
    const { username } = await gateway.control<{ username: string }>("GET", `/api/user/${id}`);
    const password = "correct horse battery";
    const login = await fetch(`${gateway.url}/api/user/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, password }),
    });
    expect(login.status).toBe(200);
    const token = await gateway.control<{ token: string }>("POST", `/api/user/${id}/token`, {});
    const own = async (method: string, path: string, body?: object) =>
      await gateway.controlEnvelope(method, path, body, token.token);
    const change = { notice_url: `${hooks.url}/own`, low_balance_micros: 4_900_000 };
    expect(await own("PATCH", "/api/user/self", change)).toMatchObject({
      success: true,
      data: change,
    });
    const made = await own("POST", "/api/token", { name: "small", quota_micros: 210_000 });
    const { key } = made.data as { key: string };
    expect(await ask(key)).toBe(200);
    const { text, headers } = await called("/own", "notice.low_key");
    const { data } = await own("GET", "/api/webhook-secret");
    const { webhooks } = new OpenAI({ apiKey: "none" });
    const { secret } = data as { secret: string };
    expect(await webhooks.unwrap(text, headers, secret)).toMatchObject({
      data: { left_micros: 10_000 },
    });
    await called("/own", "notice.low_balance");
    await called("/feishu", "The key small");
  });

  test("of a budget is sent at each of its marks, once a window, to the account too", async () => {
    const { id, key } = await gateway.customer(50_000_000);
    const token = await gateway.control<{ token: string }>("POST", `/api/user/${id}/token`, {});
    const change = { notice_url: `${hooks.url}/marked` };
    await gateway.controlEnvelope("PATCH", "/api/user/self", change, token.token);
    const budget = { name: "marked", account: id, limit_micros: 2 * callMicros, marks: [50, 100] };
    await gateway.control("POST", "/api/budget", budget);
    expect(await ask(key)).toBe(200);
    const { text } = await called("/marked", "notice.budget_mark");
    expect(JSON.parse(text)).toMatchObject({
      data: { budget: "marked", percent: 50, spent_micros: callMicros },
    });
    await called("/hook", "The budget marked of ");
    expect(await ask(key)).toBe(200);
    await called("/marked", '"percent":100');
    expect(hooks.requests.filter(({ path }) => path === "/marked")).toHaveLength(2);
  });

  test("of a channel's budget is sent at a mark, to those who run the gateway", async () => {
    const fields = { name: "contract", scope: "channel" };
    // Less than what any request costs.
    const bound = { limit_micros: 1, mode: "watch" };
    await gateway.control("POST", "/api/budget", { ...fields, ...bound });
    const { key } = await gateway.customer(50_000_000);
    expect(await ask(key)).toBe(200);
    await called("/hook", "The budget contract of root has reached 100 %");
  });

  test("of a test says whether it arrived, and nobody but an admin may send one", async () => {
    const send = async (destination: string) =>
      await gateway.control("POST", "/api/notice/test", { destination });
    for (const destination of ["hook", "mail", "slack", "feishu"]) {
      expect(await send(destination)).toEqual({ destination, delivered: true, error: null });
    }
    expect(await send("refusing")).toMatchObject({
      delivered: false,
      error: expect.stringContaining("19021"),
    });
    const unknown = { destination: "nobody" };
    const missing = await gateway.controlEnvelope("POST", "/api/notice/test", unknown);
    expect(missing.success).toBe(false);
    expect(missing.message).toContain('"nobody" is not known: add it to notices');
    const refused = await gateway.controlEnvelope("GET", "/api/notice", undefined, "sat-none");
    expect(refused.success).toBe(false);
  });
});

describe("a restart", () => {
  test("tells nothing twice, says nothing secret, and sends no password without TLS", async () => {
    const [disk] = await notices("disk_full");
    expect(disk).toMatchObject({ ended_at: null });
    await gateway.stop();
    const before = gateway.output;
    const signedIn = mailbox.signedIn.length;
    const calls = hooks.requests.length;
    gateway = await startGateway({ folder, config: settings({}, { tls: "starttls" }) });
    expect(
      await gateway.control("POST", "/api/notice/test", { destination: "mail" }),
    ).toMatchObject({ delivered: false });
    expect(mailbox.signedIn).toHaveLength(signedIn);
    // A new cause shows that there was a look at all of them.
    const { key } = await gateway.customer(600_000);
    expect(await ask(key)).toBe(200);
    await called("/hook", "$0.40 left", 2);
    const told = hooks.requests.slice(calls).map(({ text }) => text);
    expect(told.filter((text) => text.includes("disk_full"))).toEqual([]);
    expect(await notices("disk_full")).toEqual([disk as Kept]);
    const shown = JSON.stringify(await gateway.control("GET", "/api/setting"));
    for (const secret of [mailPassword, hookSecret, feishuSecret, `${hooks.url}/slack`]) {
      expect([before, gateway.output, shown].some((text) => text.includes(secret))).toBe(false);
    }
  });

  test("into a quiet time keeps what is not urgent until its end, and trusts no unknown server", async () => {
    await gateway.stop();
    const isLate = new Date().getUTCHours() >= 12;
    const quiet = isLate ? { from: "11:00", to: "10:59" } : { from: "23:00", to: "22:59" };
    const tls = { host: "localhost", port: secure.port, tls: "starttls" };
    gateway = await startGateway({ folder, config: settings({ quiet }, tls) });
    const tried = await gateway.control("POST", "/api/notice/test", { destination: "mail" });
    expect(tried).toMatchObject({
      delivered: false,
      error: expect.stringContaining("certificate"),
    });
    expect(secure.signedIn).toEqual([]);
    const { key, id } = await gateway.customer(600_000);
    const { username } = await gateway.control<{ username: string }>("GET", `/api/user/${id}`);
    expect(await ask(key)).toBe(200);
    const kept = await eventually("its notice", async () =>
      (await notices("low_balance")).find(({ text }) => text.includes(username)),
    );
    expect(kept.deliveries.map((one) => one.delivered_at)).toEqual([null, null]);
    await gateway.stop();
    const caFile = join(folder, "authority.pem");
    writeFileSync(caFile, certificate.cert);
    gateway = await startGateway({ folder, config: settings({}, { ...tls, ca_file: caFile }) });
    await secure.has(username);
    expect(secure.securely).toEqual([true]);
  });
});
