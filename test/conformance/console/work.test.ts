// Tasks, callbacks and assets as the console has them: each whole, and what can be done with it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHmac } from "node:crypto";
import { sandboxChannels } from "../../../sandbox/channels.ts";
import { as, newPerson, type Person } from "../../harness/accounts/usage.ts";
import { balanceOf, eventually } from "../../harness/books.ts";
import { startGateway, type Envelope, type Gateway } from "../../harness/gateway.ts";
import { png } from "../../harness/media-samples.ts";
import {
  create,
  idOf,
  prompt,
  quickPolls,
  reaches,
  slowPrompt,
  startVideoVendors,
  type VideoVendors,
} from "../../harness/videos.ts";

setDefaultTimeout(60_000);

interface Detail {
  id: string;
  state: string;
  error: { code: string } | null;
  states: { state: string; at: number }[];
  results: { url: string; thumbnail_url: string | null; type: string; width: number | null }[];
  callbacks: { id: string }[];
  asked: object;
  shown: object;
}

interface Delivery {
  id: string;
  attempts: number;
  delivered_at: number | null;
  body: string;
  tries: { at: number; took_ms: number; status: number | null }[];
}

const cancellable = "videoC-2-0-260128";
let vendors: VideoVendors;
let gateway: Gateway;
let person: Person;
let other: Person;
const told: { path: string; headers: Headers; text: string }[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { pathname: path } = new URL(request.url);
    if (path === "/cat.png") return new Response(png(640, 480));
    told.push({ path, headers: request.headers, text: await request.text() });
    return new Response(null, { status: path === "/broken" ? 500 : 204 });
  },
});
const receiverUrl = `http://127.0.0.1:${receiver.port}`;

beforeAll(async () => {
  vendors = startVideoVendors();
  const media = `media: { private_hosts: [ "127.0.0.1:${receiver.port}" ] }`;
  gateway = await startGateway({ config: [quickPolls, vendors.config, media].join("\n") });
  const maker = sandboxChannels(vendors.url).find(({ models }) => models.includes("imageA-2"));
  await gateway.control("POST", "/api/channel", {
    name: "pictures",
    type: maker?.type,
    base_url: maker?.baseUrl,
    key: "sk-pictures",
    models: ["imageA-2"],
    model_mapping: maker?.modelMapping,
    allow_private: true,
  });
  [person, other] = [await newPerson(gateway, 1e9), await newPerson(gateway, 1e9)];
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await vendors[Symbol.asyncDispose]();
  await receiver.stop(true);
});

async function act(method: string, path: string, token: string): Promise<Envelope> {
  return await gateway.controlEnvelope(method, path, undefined, token);
}

describe("a task", () => {
  test("is shown whole to its owner and to admins, and to nobody else", async () => {
    const body = { model: cancellable, prompt, webhook_url: `${receiverUrl}/whole` };
    const id = idOf(await create(gateway, body, { key: person.key }));
    await reaches(gateway, id, "completed", person.key);
    const own = await as<Detail>(gateway, person.token, `/api/task/self/${id}`);
    expect(own).toMatchObject({ id, state: "completed", shown: { id, status: "completed" } });
    expect(JSON.stringify(own.asked)).toContain("A fox in the snow");
    expect(own.states.map(({ state }) => state)).toEqual(["submitting", "completed"]);
    expect(own.results).toMatchObject([{ type: "video/mp4", thumbnail_url: null }]);
    expect(own).not.toHaveProperty("channel");
    const video = await fetch(gateway.url + own.results[0]?.url, { method: "HEAD" });
    expect([video.status, video.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    const all = await gateway.control<Detail>("GET", `/api/task/${id}`);
    expect(all).toMatchObject({ id, account: person.username });
    expect(all).toHaveProperty("channel");
    expect(all.callbacks).toHaveLength(1);
    expect(await act("GET", `/api/task/self/${id}`, other.token)).toMatchObject({
      success: false,
      code: "not_found",
    });
  });

  test("that runs is cancelled, paid back and still shown, and is deleted after", async () => {
    const body = { model: cancellable, prompt: slowPrompt };
    const id = idOf(await create(gateway, body, { key: person.key }));
    const refused = await act("DELETE", `/api/task/self/${id}`, person.token);
    expect(refused).toMatchObject({ success: false, code: "task_not_finished" });
    expect(await act("POST", `/api/task/self/${id}/cancel`, other.token)).toMatchObject({
      success: false,
      code: "not_found",
    });
    const { data } = await act("POST", `/api/task/self/${id}/cancel`, person.token);
    expect(data).toMatchObject({ id, state: "failed", error: { code: "cancelled" }, micros: 0 });
    expect(await balanceOf(gateway, person.id)).toMatchObject({ held_micros: 0 });
    expect(await act("POST", `/api/task/self/${id}/cancel`, person.token)).toMatchObject({
      success: false,
      code: "conflict",
    });
    expect(await act("DELETE", `/api/task/self/${id}`, person.token)).toMatchObject({
      success: true,
      data: { id },
    });
    expect(await act("GET", `/api/task/self/${id}`, person.token)).toMatchObject({
      code: "not_found",
    });
    const { states } = await gateway.control<Detail>("GET", `/api/task/${id}`);
    expect(states.at(-1)?.state).toBe("deleted");
    const audit = await gateway.control<{ items: object[] }>("GET", `/api/audit?target_id=${id}`);
    expect(audit.items).toMatchObject([{ action: "task.delete" }, { action: "task.cancel" }]);
  });

  test("of pictures has small copies of them", async () => {
    const body = { model: "imageA-2", prompt: "A fox in the snow" };
    const path = "/v1/images/generations/async";
    const id = idOf(await create(gateway, body, { key: person.key, path }));
    const done = await eventually(`the pictures of ${id}`, async () => {
      const detail = await as<Detail>(gateway, person.token, `/api/task/self/${id}`);
      return detail.state === "completed" ? detail : undefined;
    });
    const [picture] = done.results;
    const list = await as<{ items: { id: string; preview: object | null }[] }>(
      gateway,
      person.token,
      "/api/task/self?kind=image",
    );
    expect(list.items).toMatchObject([{ id, preview: { type: picture?.type } }]);
    expect(picture?.thumbnail_url).toEndWith("&width=320");
    const small = await fetch(gateway.url + picture?.thumbnail_url);
    expect([small.status, small.headers.get("content-type")]).toEqual([200, "image/webp"]);
    const { width } = await new Bun.Image(await small.arrayBuffer()).metadata();
    expect(width).toBe(320);
    expect((await fetch(`${gateway.url}${picture?.url}&width=321`)).status).toBe(400);
    expect((await fetch(`${gateway.url}/media/x.png?width=320`)).status).toBe(403);
  });
});

describe("a callback", () => {
  test("is shown with its body and each try, and is sent again", async () => {
    const body = { model: cancellable, prompt, webhook_url: `${receiverUrl}/again` };
    const id = idOf(await create(gateway, body, { key: person.key }));
    const delivered = async (tries: number) =>
      await eventually(`${tries} tries of ${id}`, async () => {
        const { items } = await as<{ items: Delivery[] }>(
          gateway,
          person.token,
          `/api/webhook/self?task=${id}`,
        );
        const [row] = items;
        if (!row) return undefined;
        const whole = await as<Delivery>(gateway, person.token, `/api/webhook/self/${row.id}`);
        return whole.tries.length === tries && whole.delivered_at !== null ? whole : undefined;
      });
    const first = await delivered(1);
    expect(first.tries).toMatchObject([{ status: 204 }]);
    expect(JSON.parse(first.body)).toMatchObject({ type: "video.completed", data: { id } });
    const stranger = await act("POST", `/api/webhook/self/${first.id}/replay`, other.token);
    expect(stranger).toMatchObject({ success: false, code: "not_found" });
    expect(await act("POST", `/api/webhook/self/${first.id}/replay`, person.token)).toMatchObject({
      success: true,
    });
    expect((await delivered(2)).attempts).toBe(1);
    const received = told.filter(({ path }) => path === "/again");
    expect(received.map(({ text }) => text)).toEqual([first.body, first.body]);
    expect(await gateway.control<Delivery>("GET", `/api/webhook/${first.id}`)).toMatchObject({
      account: person.username,
      body: first.body,
    });
  });

  test("is tried with a call that is signed as one's own are", async () => {
    const test = async (path: string) =>
      await gateway.controlEnvelope("POST", "/api/webhook/test", { url: path }, person.token);
    const { data } = await test(`${receiverUrl}/hello`);
    expect(data).toMatchObject({ status: 204, error: null });
    const { secret } = await as<{ secret: string }>(gateway, person.token, "/api/webhook-secret");
    const call = told.find(({ path }) => path === "/hello");
    const [id, at] = ["webhook-id", "webhook-timestamp"].map((name) => call?.headers.get(name));
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const signature = createHmac("sha256", key).update(`${id}.${at}.${call?.text}`);
    expect(call?.headers.get("webhook-signature")).toBe(`v1,${signature.digest("base64")}`);
    expect((await test(`${receiverUrl}/broken`)).data).toMatchObject({ status: 500 });
    expect(await test("http://10.0.0.1/")).toMatchObject({ success: false, param: "url" });
  });
});

test("assets are registered, listed and deleted by their owner alone", async () => {
  const input = { url: `${receiverUrl}/cat.png`, kind: "image", name: "cat" };
  const made = await gateway.controlEnvelope("POST", "/api/asset", input, person.token);
  expect(made.data).toMatchObject({ ...input, status: "processing" });
  const { id } = made.data as { id: string };
  const asset = await eventually(`the asset ${id}`, async () => {
    const path = `/api/asset/${id}`;
    const shown = await as<{ status: string }>(gateway, person.token, path);
    return shown.status === "processing" ? undefined : shown;
  });
  expect(asset).toMatchObject({ id, status: "active" });
  const list = async ({ token }: Person) =>
    await as<{ items: { id: string }[]; total: number }>(gateway, token, "/api/asset?kind=image");
  expect(await list(person)).toMatchObject({ total: 1, items: [{ id }] });
  expect(await list(other)).toMatchObject({ total: 0 });
  const path = `/api/asset/${id}`;
  expect(await act("DELETE", path, other.token)).toMatchObject({ code: "not_found" });
  expect(await act("DELETE", path, person.token)).toMatchObject({ data: { id } });
  expect(await list(person)).toMatchObject({ total: 0 });
});
