// Videos by Veo on Vertex AI: from the order to the kept file, and who is shown the token on the
// way to a file that lies at an address.
import { expect, test } from "bun:test";
import { balanceOf } from "../../harness/books.ts";
import { accountFile } from "../../harness/clouds/google-account.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { shortFilm } from "../../harness/scripted-ark.ts";
import {
  create,
  idOf,
  quickPolls,
  reaches,
  slowPrompt,
  slowSeconds,
  starts,
  startVideoVendors,
} from "../../harness/videos.ts";

const vendors = kept(startVideoVendors());
const model = "videoA_3_1";
const config = `
${quickPolls}
sandbox: "off"
distribution: { failures_to_eject: 1000000 }
prices: [{ model: ${model}, second_micros: 1000 }]
`;
const gateway = useStand(() => startGateway({ config }));
const below = "/vertex/v1beta1/projects/sandbox-project/locations/global/publishers/google/models";
const grantMicros = 1_000_000;

/** A channel that is there for one test; its key is exchanged at the sandbox. */
async function vertexChannel(baseUrl: string): Promise<AsyncDisposable> {
  const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", {
    name: `vertex ${crypto.randomUUID()}`,
    type: "vertex",
    base_url: baseUrl,
    key: accountFile(vendors.sandbox.url),
    models: [model],
    model_mapping: { [model]: "veo-3.1-generate-001" },
    allow_private: true,
  });
  return {
    [Symbol.asyncDispose]: () => gateway.control("DELETE", `/api/channel/${id}`).then(() => {}),
  };
}

async function film(id: string, key: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}` };
  return await fetch(`${gateway.url}/v1/videos/${id}/content`, { headers });
}

test("V-A1 Q2 a video by Veo is ordered, asked about, kept, charged and handed out", async () => {
  await using _channel = await vertexChannel(`${vendors.url}/vertex`);
  const { id: account, key } = await gateway.customer(grantMicros);
  const body = { model, prompt: slowPrompt, duration: 4 };
  const id = idOf(await create(gateway, body, { key }));
  expect(await balanceOf(gateway, account)).toMatchObject({ held_micros: 4000, used_micros: 0 });
  const [order] = starts(vendors);
  expect(order?.path).toBe(`${below}/veo-3.1-generate-001:predictLongRunning`);
  expect(order?.body?.["parameters"]).toMatchObject({ durationSeconds: 4, generateAudio: true });
  await reaches(gateway, id, "in_progress", key);
  vendors.clock.pass(slowSeconds);
  await reaches(gateway, id, "completed", key);
  expect(vendors.calls.at(-1)?.path).toBe(`${below}/veo-3.1-generate-001:fetchPredictOperation`);
  expect(await balanceOf(gateway, account)).toMatchObject({
    quota_micros: grantMicros - 4000,
    held_micros: 0,
    used_micros: 4000,
  });
  const response = await film(id, key);
  expect(response.headers.get("content-type")).toBe("video/mp4");
  expect((await response.bytes()).length).toBeGreaterThan(1000);
});

test("Q2 a video that Veo's filter took costs nothing", async () => {
  await using _channel = await vertexChannel(`${vendors.url}/vertex`);
  const { id: account, key } = await gateway.customer(grantMicros);
  const prompt = "A fox sandbox:seconds=0 sandbox:filter";
  const id = idOf(await create(gateway, { model, prompt, duration: 4 }, { key }));
  const { error } = await reaches(gateway, id, "failed", key);
  expect(error).toMatchObject({ code: "content_policy_violation" });
  expect((await balanceOf(gateway, account)).quota_micros).toBe(grantMicros);
});

/** A place that remembers which credentials it was shown. */
class Place implements AsyncDisposable {
  readonly shown: unknown[] = [];
  readonly #server;

  constructor(answer: (path: string) => Response) {
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      development: false,
      fetch: ({ url, headers }) => {
        const path = new URL(url).pathname;
        this.shown.push([path.replace(/^.*:/, ":"), headers.get("authorization")]);
        return answer(path);
      },
    });
  }

  get url(): string {
    return this.#server.url.origin;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}

const token = expect.stringMatching(/^Bearer ya29\.sandbox-/);

test.each([
  ["the vendor's own host", "/film.mp4", [["/film.mp4", token]], []],
  ["another host", "elsewhere", [], [["/film.mp4", null]]],
  ["a host it leads to", "/moved", [["/moved", token]], [["/film.mp4", null]]],
])("the file at %s is fetched, and the vendor alone is shown the token", async (...row) => {
  const [, where, atVendor, atOther] = row;
  await using other = new Place(() => new Response(shortFilm));
  await using vendor = new Place((path) => {
    if (path === "/moved") return Response.redirect(`${other.url}/film.mp4`);
    if (path === "/film.mp4") return new Response(shortFilm);
    if (path.endsWith(":predictLongRunning")) return Response.json({ name: "operations/one" });
    const uri = where === "elsewhere" ? `${other.url}/film.mp4` : `${vendor.url}${where}`;
    const response = { videos: [{ gcsUri: uri, mimeType: "video/mp4" }] };
    return Response.json({ name: "operations/one", done: true, response });
  });
  await using _channel = await vertexChannel(vendor.url);
  const { id: account, key } = await gateway.customer(grantMicros);
  const id = idOf(await create(gateway, { model, prompt: "A fox", duration: 4 }, { key }));
  await reaches(gateway, id, "completed", key);
  expect(await (await film(id, key)).bytes()).toEqual(shortFilm);
  // Its film has three seconds, and four were asked for.
  expect((await balanceOf(gateway, account)).used_micros).toBe(3000);
  const calls = [":predictLongRunning", ":fetchPredictOperation"].map((verb) => [verb, token]);
  expect(vendor.shown).toEqual([...calls, ...atVendor]);
  expect(other.shown).toEqual(atOther);
});
