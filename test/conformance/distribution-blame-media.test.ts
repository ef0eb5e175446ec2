// The same judgement for what is not text: one customer's images, videos and imgF jobs cost no
// channel a key.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../harness/books.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import { ImageHost, madeOf, picture, refusal } from "../harness/images/host.ts";
import { ask } from "../harness/images/stand.ts";
import { ScriptedArk } from "../harness/scripted-ark.ts";
import { Vendor } from "../harness/vendor.ts";
import { create } from "../harness/videos.ts";

setDefaultTimeout(60_000);

const grantMicros = 100_000_000;
const prompt = "A fox in the snow";
let gateway: Gateway;

beforeAll(async () => {
  const config = `sandbox: "off"\nunpriced: free\ndistribution: { failures_to_eject: 3 }`;
  gateway = await startGateway({ config, oneProcess: "judgement" });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

async function addChannel(fields: object): Promise<string> {
  return (await gateway.control<{ id: string }>("POST", "/api/channel", fields)).id;
}

async function readChannel(id: string) {
  return await gateway.control<{ health: { ejected: boolean }; keys: { status: string }[] }>(
    "GET",
    `/api/channel/${id}`,
  );
}

async function expectUntouched(id: string): Promise<void> {
  const { health, keys } = await readChannel(id);
  expect(health.ejected).toBe(false);
  expect(keys.map(({ status }) => status)).toEqual(keys.map(() => "enabled"));
}

async function newKey(): Promise<string> {
  return (await gateway.customer(grantMicros)).key;
}

test("a picture that the vendor may not fetch costs no key, and no second one is tried", async () => {
  await using host = new ImageHost((call) => {
    if (call.path.endsWith("/models")) return Response.json({ data: [] });
    const isForeign = JSON.stringify(call.body).includes("foreign");
    return isForeign ? refusal(403, { message: "No access." }) : madeOf([picture()]);
  });
  const { key: _key, ...channel } = host.channel({ keys: ["sk-host-0001", "sk-host-0002"] });
  const id = await addChannel({ ...channel, type: "gateway" });
  const [hostile, other] = [await newKey(), await newKey()];
  const image = "https://files.example/foreign.png";
  for (let at = 0; at < 5; at++) {
    const body = { model: "imageA-2", prompt, image };
    expect((await ask(gateway, body, { key: hostile })).status).toBe(500);
  }
  const works = () => host.calls.filter(({ path }) => !path.endsWith("/models")).length;
  expect(works()).toBe(5);
  await eventually("the check", async () => (host.calls.length > works() ? true : undefined));
  await Bun.sleep(100);
  await expectUntouched(id);
  expect((await ask(gateway, { model: "imageA-2", prompt }, { key: other })).status).toBe(200);
  await gateway.control("DELETE", `/api/channel/${id}`);
});

test("a picture that is larger than the vendor's limit rests no key", async () => {
  const message = "Request too large for this model: Limit 1, Requested 4.";
  await using host = new ImageHost((call) =>
    JSON.stringify(call.body).includes('"n":4')
      ? refusal(429, { message, type: "tokens" }, { "retry-after": "60" })
      : madeOf([picture()]),
  );
  const id = await addChannel(host.channel());
  const [hostile, other] = [await newKey(), await newKey()];
  const answer = await ask(gateway, { model: "imageA-2", prompt, n: 4 }, { key: hostile });
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([
    429,
    expect.stringContaining(message),
  ]);
  expect((await ask(gateway, { model: "imageA-2", prompt }, { key: other })).status).toBe(200);
  await expectUntouched(id);
  await gateway.control("DELETE", `/api/channel/${id}`);
});

test("a video of what its vendor may not see costs no key, and no second one is tried", async () => {
  await using ark = new ScriptedArk();
  ark.start = () =>
    Response.json({ error: { code: "AccessDenied", message: "No access." } }, { status: 403 });
  const keys = ["sk-ark-0001", "sk-ark-0002", "sk-ark-0003"];
  const id = await addChannel(ark.channel({ keys, key: undefined }));
  const [hostile, other] = [await newKey(), await newKey()];
  const foreign = { model: "manxue-2.0", prompt, seconds: "5", image: "https://a.example/f.png" };
  for (let at = 0; at < 5; at++) {
    expect((await create(gateway, foreign, { key: hostile })).status).toBe(500);
  }
  expect(ark.starts()).toHaveLength(5);
  await eventually("the check", async () => (ark.requests.length > 5 ? true : undefined));
  await Bun.sleep(100);
  await expectUntouched(id);
  ark.start = (job) => Response.json({ id: job });
  const plain = { model: "manxue-2.0", prompt, seconds: "5" };
  expect((await create(gateway, plain, { key: other })).status).toBe(200);
});

test("an imgF job that is refused costs no key, though there is no free call that could tell", async () => {
  using vendor = new Vendor((_request, reply) => reply.json({ description: "No." }, 403));
  const id = await addChannel(vendor.channel({ type: "midjourney", models: ["imgF-imagine"] }));
  const keys = [await newKey(), await newKey(), await newKey()];
  const submit = async (key: string | undefined) =>
    (await gateway.post("/imgF/submit/imagine", { prompt }, key)).status;
  for (let at = 0; at < 6; at++) await submit(keys[at % 2]);
  expect(vendor.requests).toHaveLength(6);
  await expectUntouched(id);
  await submit(keys[2]);
  await eventually("the mark", async () => {
    const [key] = (await readChannel(id)).keys;
    return key?.status === "disabled" ? true : undefined;
  });
});
