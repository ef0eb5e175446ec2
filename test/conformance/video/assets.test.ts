// The asset registry, from outside.
import { expect, test } from "bun:test";
import type { Gateway } from "../../harness/gateway.ts";
import { rootKey, startGateway } from "../../harness/gateway.ts";
import { png, wav } from "../../harness/media-samples.ts";

interface AssetReply {
  ResponseMetadata: { RequestId: string };
  Result: {
    Id: string;
    Name: string;
    URL: string;
    AssetType: string;
    Status: string;
    Error?: { Code: string; Message: string };
  };
}

const files: Record<string, Uint8Array<ArrayBuffer>> = {
  "/cat.png": png(640, 480),
  "/tiny.png": png(64, 64),
  "/wide.png": png(6000, 400),
  "/five.wav": wav(5),
  "/one.wav": wav(1),
  "/page.png": new TextEncoder().encode("<html>not a picture, whatever its name</html>"),
  "/large.wav": wav(5, 16 * 1024 * 1024),
};

function startHost() {
  return Bun.serve({
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/away") return Response.redirect("http://169.254.169.254/latest", 302);
      const file = files[pathname];
      return file ? new Response(file) : new Response("no", { status: 404 });
    },
  });
}

function start(host: { port: number | undefined }): Promise<Gateway> {
  const config = `media: { private_hosts: ["127.0.0.1:${host.port}"] }`;
  return startGateway({ config });
}

async function read(gateway: Gateway, id: string, key = rootKey) {
  const reply = await gateway.get(`/api/asset/get?id=${id}`, key);
  expect(reply.status).toBe(200);
  return ((await reply.json()) as AssetReply).Result;
}

/** Asks until the gateway has looked at it. */
async function settled(gateway: Gateway, id: string) {
  for (;;) {
    const asset = await read(gateway, id);
    if (asset.Status !== "Processing") return asset;
  }
}

async function register(gateway: Gateway, body: object) {
  const reply = await gateway.post("/api/asset/createMedia", body);
  expect(reply.status).toBe(200);
  return (await reply.json()) as AssetReply;
}

test("S1 N6 an asset is taken at once and is active once its media was looked at", async () => {
  await using host = startHost();
  await using gateway = await start(host);
  const url = `http://127.0.0.1:${host.port}/cat.png`;
  const made = await register(gateway, { url, name: "cat", assetType: "Image" });
  expect(made.ResponseMetadata.RequestId).toMatch(/^req_/);
  const { Id } = made.Result;
  const expected = { Id, Name: "cat", URL: url, AssetType: "image" };
  expect(made.Result).toMatchObject({ ...expected, Status: "Processing" });
  expect(await settled(gateway, Id)).toMatchObject({ ...expected, Status: "Active" });
  const sound = { URL: `http://127.0.0.1:${host.port}/five.wav`, Name: "hum", AssetType: "AUDIO" };
  const second = await register(gateway, sound);
  expect(await settled(gateway, second.Result.Id)).toMatchObject({
    Name: "hum",
    AssetType: "audio",
    Status: "Active",
  });
});

test("N6 media that cannot be used fails and says why", async () => {
  await using host = startHost();
  await using gateway = await start(host);
  const cases: [string, string, string][] = [
    ["/none.png", "image", "NotFetchable"],
    ["/away", "image", "NotFetchable"],
    ["/page.png", "image", "InvalidMedia"],
    ["/five.wav", "image", "InvalidMedia"],
    ["/tiny.png", "image", "OutOfRange"],
    ["/wide.png", "image", "OutOfRange"],
    ["/one.wav", "audio", "OutOfRange"],
    ["/large.wav", "audio", "TooLarge"],
  ];
  const made = await Promise.all(
    cases.map(([path, type]) =>
      register(gateway, { url: `http://127.0.0.1:${host.port}${path}`, type }),
    ),
  );
  for (const [at, [path, , code]] of cases.entries()) {
    const asset = await settled(gateway, made[at]?.Result.Id ?? "");
    expect([path, asset.Status, asset.Error?.Code]).toEqual([path, "Failed", code]);
  }
});

test("S2 wrong requests are refused in envelope C", async () => {
  await using gateway = await startGateway();
  const url = "https://media.example/a.png";
  const wrong: object[] = [
    {},
    { url },
    { assetType: "image" },
    { url, assetType: "book" },
    { url: 5, assetType: "image" },
    { url: "asset://a", assetType: "image" },
    { url, assetType: "image", name: "n".repeat(65) },
  ];
  for (const body of wrong) {
    const reply = await gateway.post("/api/asset/createMedia", body);
    expect([body, reply.status]).toEqual([body, 400]);
    const { error } = (await reply.json()) as { error: object };
    expect(Object.keys(error).toSorted()).toEqual(["message", "type"]);
  }
  const statuses = async (path: string, key = rootKey) => (await gateway.get(path, key)).status;
  expect(await statuses("/api/asset/get")).toBe(400);
  expect(await statuses("/api/asset/get?id=")).toBe(400);
  expect(await statuses("/api/asset/get?id=asset://asset_1")).toBe(400);
  expect(await statuses("/api/asset/get?id=asset_1")).toBe(404);
  expect(await statuses("/api/asset/get?id=asset_1", "sk-wrong")).toBe(401);
  const denied = await gateway.post("/api/asset/createMedia", { url }, "sk-wrong");
  expect(denied.status).toBe(401);
  expect(Object.keys(((await denied.json()) as { error: object }).error)).toEqual([
    "message",
    "type",
  ]);
});
