// Needs of pages before and after somebody has signed in: the site, the models, the groups.
import { beforeAll, expect, test } from "bun:test";
import { as, newPerson } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { Browser } from "../../harness/browser.ts";
import { startGateway } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

interface Model {
  id: string;
  reachable: boolean;
  channels?: { name: string; state: string }[];
}

const config = `
sandbox: "off"
accounts: { registration: invitation }
site: { name: Example Gateway, notice: "Back at <b>noon</b>.", default_language: zh, shows_models: true }
distribution: { failures_to_eject: 1, ejection_ms: 60000 }
oauth:
  providers: [{ name: forum, type: github, client_id: an-id, client_secret: a-secret }]
`;

const vendor = kept(new Vendor((_request, reply) => reply.json({ error: {} }, 500)));

const gateway = useStand(() => startGateway({ config }));

beforeAll(async () => {
  await gateway.control("POST", "/api/group", { name: "gold", multiplier: 2.5 });
  const channel = vendor.channel({ name: "first", models: ["m"], priority: 3 });
  await gateway.control("POST", "/api/channel", channel);
  const price = { model: "m", input_micros_per_million: 1_000_000 };
  await gateway.control("POST", "/api/price", { ...price, output_micros_per_million: 2_000_000 });
});

test("a visitor learns what the gateway is called and how one gets in, and nothing of it is hidden in a page", async () => {
  const visitor = new Browser(gateway.url);
  const site = await visitor.ask<Record<string, unknown>>("GET", "/api/site");
  expect(site).toEqual({
    name: "Example Gateway",
    version: expect.any(String),
    registration: "invitation",
    providers: [{ name: "forum", type: "github" }],
    passkey: false,
    shows_models: true,
    shows_status: false,
    notice: "Back at <b>noon</b>.",
    default_language: "zh",
    email: "off",
    mail_link: false,
  });
  // Passkeys belong to a host name: an address has none.
  const byName = await visitor.call("GET", "/api/site", undefined, { host: "localhost:1" });
  expect(byName.data).toMatchObject({ passkey: true });
  expect(await visitor.call("GET", "/api/site?x=1")).toMatchObject({ code: "invalid_request" });
});

test("a visitor sees models and prices only where they are shown", async () => {
  const visitor = new Browser(gateway.url);
  const { items } = await visitor.ask<{ items: Model[] }>("GET", "/api/site/models");
  expect(items).toMatchObject([
    {
      id: "m",
      kind: "text",
      group: "default",
      multiplier: 1,
      price: { input_micros_per_million: 1e6 },
    },
  ]);
  expect(items[0]).not.toHaveProperty("channels");
  await using closed = await startGateway({ config: 'sandbox: "off"\n' });
  const bare = new Browser(closed.url);
  expect(await bare.ask("GET", "/api/site")).toMatchObject({
    name: "Sluice",
    notice: null,
    shows_models: false,
    default_language: "en",
  });
  const refused = await bare.call("GET", "/api/site/models");
  expect(refused).toMatchObject({ success: false, code: "permission_denied" });
});

test("a virtual model has the channels of its members", async () => {
  const path = "/api/virtual-model";
  await gateway.control("POST", path, { name: "best", members: [{ model: "m" }] });
  const { items } = await gateway.control<{ items: Model[] }>("GET", "/api/model?q=best");
  expect(items).toMatchObject([{ id: "best", reachable: true, channels: [{ name: "first" }] }]);
  await gateway.control("DELETE", `${path}?name=best`);
});

test("whether a model can be had now follows its channels, which admins see and others do not", async () => {
  const person = await newPerson(gateway, 1_000_000);
  const path = "/api/model?q=m&kind=text";
  const before = await as<{ items: Model[] }>(gateway, person.token, path);
  expect(before.items).toMatchObject([{ id: "m", family: null, reachable: true }]);
  expect(before.items[0]).not.toHaveProperty("channels");
  expect(await as(gateway, person.token, "/api/model?kind=video")).toMatchObject({ total: 0 });
  const other = await newPerson(gateway, 1_000_000);
  for (const { key } of [person, other]) {
    await (await gateway.post("/v1/chat/completions", chatBody("m"), key)).text();
  }
  const after = await gateway.control<{ items: Model[] }>("GET", path);
  expect(after.items).toMatchObject([
    { id: "m", reachable: false, channels: [{ name: "first", priority: 3, state: "ejected" }] },
  ]);
});

test("pictures and videos say what a form may offer for them, each model its own", async () => {
  const models = ["sora-2", "sora-2-pro", "videoD-h3", "gpt-image-2.5-flare"];
  const channel = vendor.channel({ name: "maker", type: "gateway", models });
  await gateway.control("POST", "/api/channel", channel);
  for (const model of models) {
    const price = { model, second_micros: 100_000, image_micros: 10_000 };
    await gateway.control("POST", "/api/price", price);
  }
  const { items } = await gateway.control<{ items: (Model & { fields: object[] })[] }>(
    "GET",
    "/api/model",
  );
  const fieldsOf = (id: string) => items.find((one) => one.id === id)?.fields;
  const size = { name: "size", type: "text", open: false, min: null, max: null, usual: null };
  const lengths = { name: "seconds", type: "number", values: [], open: false, required: false };
  const values = ["720x1280", "1280x720"];
  expect(fieldsOf("m")).toEqual([]);
  expect(fieldsOf("sora-2")).toEqual([
    { ...lengths, min: 1, max: 60, usual: "4" },
    { ...size, values, required: false },
  ]);
  expect(fieldsOf("sora-2-pro")).toMatchObject([
    {},
    { values: [...values, "1792x1024", "1024x1792"] },
  ]);
  expect(fieldsOf("videoD-h3")).toMatchObject([
    { name: "seconds", min: 4, max: 15, usual: null, required: true },
    { name: "aspect_ratio", usual: "16:9" },
    { name: "resolution", values: ["768p", "2k"], usual: "768p" },
    { name: "watermark", type: "truth" },
    { name: "negative_prompt", values: [], open: true },
    { name: "seed" },
  ]);
  const [sizes, count] = fieldsOf("gpt-image-2.5-flare") ?? [];
  expect(sizes).toMatchObject({ name: "size", open: false, values: { length: 18 } });
  expect(count).toMatchObject({ name: "n", min: 1, max: 10, usual: "1" });
});

test("the groups that one may give a key are one's own, or for admins all", async () => {
  const person = await newPerson(gateway, 0);
  const own = { name: "default", multiplier: 1 };
  expect(await as(gateway, person.token, "/api/group/self")).toEqual({ ...own, groups: [own] });
  const all = { ...own, groups: [own, { name: "gold", multiplier: 2.5 }] };
  expect(await gateway.control("GET", "/api/group/self")).toEqual(all);
});
