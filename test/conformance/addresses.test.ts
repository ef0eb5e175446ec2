// Address of a gateway: the operator's word, or that of who asks.
import { expect, setDefaultTimeout, test } from "bun:test";
import { rootKey, startGateway, type Gateway } from "../harness/gateway.ts";
import { create, idOf, quickPolls, reaches } from "../harness/videos.ts";

setDefaultTimeout(60_000);

const image = { model: "imageA-1", prompt: "A fox", response_format: "url" };
const called = { host: "ai.example:3000" };

async function linkOf(
  gateway: Gateway,
  headers: Record<string, string>,
  path = "/v1/images/generations",
): Promise<string> {
  const isRead = path !== "/v1/images/generations";
  const response = await fetch(gateway.url + path, {
    method: isRead ? "GET" : "POST",
    headers: { authorization: `Bearer ${rootKey}`, "content-type": "application/json", ...headers },
    ...(!isRead && { body: JSON.stringify(image) }),
  });
  expect(response.status).toBe(200);
  return /https?:\/\/[^"]*\/media\/[^"]*/.exec(await response.text())?.[0] ?? "";
}

test("I4 hazard G15 a link names the address that its reader called, and opens", async () => {
  await using gateway = await startGateway();
  const link = await linkOf(gateway, called);
  expect(link).toStartWith("http://ai.example:3000/media/");
  const opened = await fetch(link.replace("http://ai.example:3000", gateway.url));
  expect(opened.headers.get("content-type")).toStartWith("image/");
  expect(await linkOf(gateway, {})).toStartWith(`${gateway.url}/media/`);
});

test("I4 hazard G15 what an unknown proxy says of the address does not count", async () => {
  await using gateway = await startGateway();
  const proxied = { ...called, "x-forwarded-for": "10.0.0.1", "x-forwarded-proto": "https" };
  const own = gateway.nodeUrls.map((url) => `${url}/media/`);
  const link = await linkOf(gateway, proxied);
  expect(own.some((start) => link.startsWith(start))).toBe(true);
});

test("I4 a trusted proxy says how the gateway was called", async () => {
  const config = "server: { trust_proxy: true }";
  await using gateway = await startGateway({ config });
  const proxied = { ...called, "x-forwarded-for": "10.0.0.1", "x-forwarded-proto": "https" };
  expect(await linkOf(gateway, proxied)).toStartWith("https://ai.example:3000/media/");
});

test("I4 the operator's own word for the address wins", async () => {
  const environment = { SLUICE_PUBLIC_URL: "https://media.example/base/" };
  await using gateway = await startGateway({ environment });
  expect(await linkOf(gateway, called)).toStartWith("https://media.example/base/media/");
});

test("V-Q2 hazard G15 each reader of a video gets a link to where it called", async () => {
  await using gateway = await startGateway({ config: quickPolls });
  const id = idOf(await create(gateway, { model: "manxue-2.0", prompt: "A fox", seconds: "5" }));
  await reaches(gateway, id, "completed");
  for (const path of [`/v1/videos/${id}`, "/v1/videos", `/v1/videos/${id}/events`]) {
    expect(await linkOf(gateway, called, path)).toStartWith("http://ai.example:3000/media/");
    expect(await linkOf(gateway, {}, path)).toStartWith(`${gateway.url}/media/`);
  }
});

const warning = "server.public_url is not set";

async function isWarned(environment: Record<string, string>): Promise<boolean> {
  await using gateway = await startGateway({ environment });
  // It is said before the address is, and that was waited for.
  return gateway.output.includes(warning);
}

test("N17 a gateway that others can reach warns where its public address is not set", async () => {
  expect(await isWarned({ HOST: "0.0.0.0" })).toBe(true);
  expect(await isWarned({ HOST: "0.0.0.0", SLUICE_PUBLIC_URL: "https://ai.example" })).toBe(false);
  expect(await isWarned({})).toBe(false);
});
