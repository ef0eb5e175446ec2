// An account that names servers which never answer: the media of others is looked at all the same.
import { expect, test } from "bun:test";
import { type Gateway, startGateway } from "../harness/gateway.ts";
import { png } from "../harness/media-samples.ts";
import { Vendor } from "../harness/vendor.ts";
import { eventually } from "./observe.ts";

async function register(gateway: Gateway, url: string, key: string): Promise<string> {
  const response = await gateway.post("/api/asset/createMedia", { url, assetType: "image" }, key);
  expect(response.status).toBe(200);
  return ((await response.json()) as { Result: { Id: string } }).Result.Id;
}

test("40 assets of one account on a server that never answers hold up no other account", async () => {
  using stuck = new Vendor(() => {});
  await using files = Bun.serve({ port: 0, fetch: () => new Response(png(640, 480)) });
  const hosts = [new URL(stuck.url).host, `127.0.0.1:${files.port}`].map((host) => `"${host}"`);
  await using gateway = await startGateway({
    config: `media: { private_hosts: [${hosts.join(", ")}] }`,
  });
  const greedy = await gateway.customer(0);
  for (let at = 0; at < 40; at++) await register(gateway, `${stuck.url}/${at}.png`, greedy.key);
  const other = await gateway.customer(0);
  const id = await register(gateway, `http://127.0.0.1:${files.port}/a.png`, other.key);
  const statusOf = async () => {
    const response = await gateway.get(`/api/asset/get?id=${id}`, other.key);
    return ((await response.json()) as { Result: { Status: string } }).Result.Status;
  };
  const beganMs = performance.now();
  await eventually(statusOf, (status) => status === "Active");
  expect(performance.now() - beganMs).toBeLessThan(10_000);
  expect(stuck.requests).toHaveLength(2 * gateway.nodeUrls.length);
}, 60_000);
