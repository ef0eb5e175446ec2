// Creates that are refused before anyone has read their body: the answer is in the shape of the
// family all the same, where the body is small enough to look at.
import { expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { create, envelopeOf, form, slowPrompt, starts } from "../../harness/videos.ts";
import { startVideos } from "../../harness/videos.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { RawClient } from "../../hazards/raw-client.ts";

const body = { model: "videoC-2-0-260128", prompt: slowPrompt, duration: 5 };
const paths = ["/v1/videos", "/v1/video/generations"];

const stand = useStand(() => startVideos());

test.each(paths)("A4 V-C1 a wrong key on %s is a 401 in the family's envelope", async (path) => {
  const asked = { key: "sk-wrong", path };
  const refuse = (given: object | FormData) => create(stand.gateway, given, asked);
  const json = await refuse(body);
  expect([json.status, envelopeOf(json)]).toEqual([401, "c"]);
  expect((json.body["error"] as JsonObject)["type"]).toBe("invalid_request_error");
  const fields = await refuse(form({ model: body.model, prompt: "A fox" }));
  expect([fields.status, envelopeOf(fields)]).toEqual([401, "c"]);
  for (const other of [
    { ...body, model: "videoB-2" },
    { ...body, model: "nobody-knows" },
    { ...body, model: 5 },
    { prompt: "A fox" },
    { ...body, prompt: "long ".repeat(10_000) },
  ]) {
    const reply = await refuse(other);
    expect([reply.status, envelopeOf(reply)]).toEqual([401, "a"]);
    expect(reply.body).toMatchObject({ error: { code: "invalid_api_key" } });
  }
  expect(starts(stand)).toEqual([]);
});

test("Q3 V-C1 too many creates are a 429 in the family's envelope, B on the unified route", async () => {
  const { key } = await stand.gateway.customer(10_000_000, { requests_per_minute: 1 });
  expect((await create(stand.gateway, body, { key })).status).toBe(200);
  const [own, unified] = paths;
  const replies = [
    await create(stand.gateway, body, { key, path: own ?? "" }),
    await create(stand.gateway, { ...body, model: "videoB-2" }, { key, path: own ?? "" }),
    await create(stand.gateway, body, { key, path: unified ?? "" }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([429, 429, 429]);
  expect(replies.map(envelopeOf)).toEqual(["c", "a", "b"]);
  for (const { headers } of replies) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
});

test("A4 a body that does not come keeps nobody waiting for the 401", async () => {
  using client = await RawClient.open(stand.gateway.url);
  client.send("POST /v1/videos HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n");
  client.send("authorization: Bearer sk-wrong\r\ncontent-length: 100\r\n\r\n{");
  const answer = await client.until(/invalid_api_key/);
  expect(answer).toStartWith("HTTP/1.1 401");
});
