// Shape of every family's task from its creation to its end, and the needs of every create.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { startGateway } from "../../harness/gateway.ts";
import {
  create,
  envelopeOf,
  form,
  idOf,
  prompt,
  query,
  quickPolls,
  reaches,
  slowPrompt,
  slowSeconds,
  starts,
  startVideos,
} from "../../harness/videos.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const stand = useStand(() => startVideos());

const video = "https://media.example/clip.mp4";

/** A body of each family that says no more than it must. */
const least: Readonly<Record<string, Record<string, string>>> = {
  videoA_3_1: {},
  "videoA_3_1-fast": {},
  "videoB-2": {},
  "videoB-2-pro": {},
  "omni-fast": {},
  "omni-fast-v2v": { video },
  "manxue-2.0": {},
  "videoC-2-0-260128": {},
  "videoC-2-0-fast-260128": {},
  "videoC-1-5-pro_480p": {},
  "videoC-1-5-pro_720p": {},
  "videoC-1-5-pro_1080p": {},
  "videoD-h3": { duration: "5" },
  "videoD-h3-768p": { duration: "5" },
  "videoD-h3-2k": { duration: "5" },
  "videoD-h3-pro-768p": { duration: "5" },
  "videoD-h3-pro-2k": { duration: "5" },
  "videoE-v1": {},
};
const models = Object.keys(least);

function isVariant(model: string): boolean {
  return model.startsWith("videoC-2-0");
}

const common = "created_at id model object progress status task_id video_url";
const variant = "created id model object status";

function keysOf(body: JsonObject): string {
  return Object.keys(body).toSorted().join(" ");
}

function withKeys(keys: string, ...more: string[]): string {
  return [...keys.split(" "), ...more].toSorted().join(" ");
}

describe("what every create needs", () => {
  test("V-0 a create without its model is a 400 that names it", async () => {
    const before = starts(stand).length;
    for (const model of [undefined, null, "", 7, ["videoA_3_1"]]) {
      const reply = await create(stand.gateway, { model, prompt });
      expect(reply.status).toBe(400);
      expect(envelopeOf(reply)).toBe("a");
      expect(reply.body).toMatchObject({
        error: { param: "model", type: "invalid_request_error", code: "invalid_request" },
      });
    }
    expect(starts(stand).length).toBe(before);
  });

  test("V-0 a create without its prompt is a 400 that names it, in its family's envelope", async () => {
    const before = starts(stand).length;
    for (const model of models) {
      // The prompt may be empty where media say what is wanted.
      const empty = model === "omni-fast-v2v" ? [] : [{ prompt: "" }, { prompt: "  " }];
      for (const missing of [{}, { prompt: null }, ...empty]) {
        const reply = await create(stand.gateway, { model, ...least[model], ...missing });
        expect([model, reply.status]).toEqual([model, 400]);
        expect([model, envelopeOf(reply)]).toEqual([model, isVariant(model) ? "c" : "a"]);
        const { error } = reply.body as { error: JsonObject };
        expect(String(error["message"])).toContain("prompt");
        if (!isVariant(model)) expect(error["param"]).toBe("prompt");
      }
      const typed = await create(stand.gateway, { model, ...least[model], prompt: 7 });
      expect([model, typed.status]).toEqual([model, 400]);
    }
    expect(starts(stand).length).toBe(before);
  });

  test("V-0 Q4 a model that nobody serves is a 503, and no body at all a 400", async () => {
    const unknown = await create(stand.gateway, { model: "videoZ-9", prompt });
    expect([unknown.status, envelopeOf(unknown)]).toEqual([503, "a"]);
    expect(unknown.body).toMatchObject({ error: { code: "model_not_found" } });
    expect(unknown.headers.get("x-should-retry")).toBe("false");
    const text = await create(stand.gateway, { model: "chatA", prompt });
    expect(text.status).toBe(503);
    for (const body of ["", "{", "[]", "null", '"text"']) {
      const response = await stand.gateway.post("/v1/videos", body);
      expect([body, response.status]).toEqual([body, 400]);
      expect(await response.json()).toMatchObject({ error: { code: "invalid_request" } });
    }
  });
});

describe("the answer to a create", () => {
  test("V-0 V-C1 N4 every model takes JSON and forms, and answers in its exact shape", async () => {
    for (const model of models) {
      const fields = { model, prompt, ...least[model] };
      for (const body of [fields, form(fields)]) {
        const reply = await create(stand.gateway, body);
        expect([model, reply.status, reply.body["status"]]).toEqual([model, 200, "queued"]);
        expect(reply.body["object"]).toBe("video");
        expect(reply.body["model"]).toBe(model === "videoD-h3" ? "videoD-h3-768p" : model);
        const nowSeconds = Date.now() / 1000;
        const at = Number(reply.body[isVariant(model) ? "created" : "created_at"]);
        expect(Number.isInteger(at) && Math.abs(nowSeconds - at) < 60).toBe(true);
        if (isVariant(model)) {
          expect(keysOf(reply.body)).toBe(variant);
          continue;
        }
        const echo = model.startsWith("videoB") ? ["seconds", "size"] : [];
        expect([model, keysOf(reply.body)]).toEqual([model, withKeys(common, ...echo)]);
        expect(reply.body).toMatchObject({ progress: 0, video_url: "" });
        expect(reply.body["task_id"]).toBe(reply.body["id"]);
      }
    }
  });

  test("V-0 D4 on a first run every video of the catalogue is made", async () => {
    await using gateway = await startGateway({ config: quickPolls });
    const listed = await query(gateway, "/v1/models");
    const videos = (listed.body["data"] as JsonObject[])
      .filter(({ supported_endpoint_types: types }) => String(types) === "video")
      .map(({ id }) => String(id));
    // The vendors' own names of them stand beside these.
    expect(videos).toEqual(expect.arrayContaining(models.toSorted()));
    const made = await Promise.all(
      models.map((model) => create(gateway, { model, prompt, ...least[model] })),
    );
    for (const reply of made) await reaches(gateway, idOf(reply), "completed");
  });
});

/** One model of each way to show a task. */
const shown = [
  { model: "videoA_3_1", base: common, done: ["completed_at"], failed: ["error"], fields: {} },
  {
    model: "videoB-2",
    base: withKeys(common, "seconds", "size"),
    done: ["completed_at"],
    failed: ["error"],
    fields: { size: "1280x720", seconds: "8" },
  },
  {
    model: "videoC-2-0-260128",
    base: variant,
    done: ["video_url", "actualDuration", "totalTokens"],
    failed: ["error"],
    fields: { duration: 5 },
  },
  {
    model: "videoD-h3-2k",
    base: withKeys(common, "completed_at"),
    done: ["duration"],
    failed: ["error"],
    fields: { duration: 4 },
  },
] as const;

/** The task by both of its addresses, which must say the same. */
async function readBoth(id: string): Promise<JsonObject> {
  const [one, other] = await Promise.all([
    query(stand.gateway, `/v1/videos/${id}`),
    query(stand.gateway, `/v1/video/generations/${id}`),
  ]);
  expect([one.status, other.status]).toEqual([200, 200]);
  expect(other.body).toEqual(one.body);
  return one.body;
}

async function begin(model: string, fields: object, directive: string): Promise<string> {
  const body = { model, prompt: `A fox ${directive}`, ...fields };
  return idOf(await create(stand.gateway, body));
}

describe("a task at every status", () => {
  for (const { model, base, done, failed, fields } of shown) {
    const isPlain = !isVariant(model);

    test(`V-Q1 N3 ${model} that waits or runs has these fields`, async () => {
      const slow = `sandbox:seconds=${slowSeconds}`;
      const waiting = await readBoth(await begin(model, fields, slow));
      expect(keysOf(waiting)).toBe(base);
      expect(waiting["status"]).toBe(model === "videoA_3_1" ? waiting["status"] : "queued");
      const id = await begin(model, fields, slow);
      stand.clock.pass(slowSeconds / 2);
      await reaches(stand.gateway, id, "in_progress");
      const running = await readBoth(id);
      expect([running["status"], keysOf(running)]).toEqual(["in_progress", base]);
      if (!isPlain) return;
      expect(running["video_url"]).toBe("");
      expect(running["progress"]).toBeWithin(0, 100);
    });

    test(`V-Q1 N3 N23 V-C3 ${model} that is completed has these fields and its file`, async () => {
      const id = await begin(model, fields, "sandbox:seconds=0");
      await reaches(stand.gateway, id, "completed");
      const task = await readBoth(id);
      expect(keysOf(task)).toBe(withKeys(base, ...done));
      expect(task["id"]).toBe(id);
      const url = String(task["video_url"]);
      expect(url.startsWith(`${stand.gateway.url}/`)).toBe(true);
      const file = await fetch(url);
      expect([file.status, file.headers.get("content-type")]).toEqual([200, "video/mp4"]);
      expect((await file.bytes()).subarray(4, 8)).toEqual(new TextEncoder().encode("ftyp"));
      if (isPlain) {
        expect(task["progress"]).toBe(100);
        expect(Number(task["completed_at"])).toBeGreaterThanOrEqual(Number(task["created_at"]));
      } else {
        expect(task).toMatchObject({ actualDuration: 5, totalTokens: 5 * 21_600 });
      }
    });

    for (const directive of ["sandbox:fail", "sandbox:filter"]) {
      test(`V-Q1 N3 V-C3 ${model} that has failed with ${directive} has these fields and its reason`, async () => {
        const id = await begin(model, fields, `sandbox:seconds=0 ${directive}`);
        await reaches(stand.gateway, id, "failed");
        const task = await readBoth(id);
        expect(keysOf(task)).toBe(withKeys(base, ...failed));
        if (!isPlain) {
          expect(typeof task["error"]).toBe("string");
          expect(task["error"]).not.toBe("");
          return;
        }
        expect(task["video_url"]).toBe("");
        const error = task["error"] as JsonObject;
        expect(keysOf(error)).toBe("code message");
        expect([typeof error["message"], typeof error["code"]]).toEqual(["string", "string"]);
        if (directive === "sandbox:filter") expect(error["code"]).toBe("content_policy_violation");
      });
    }
  }

  test("N3 a task shows nothing of channels, groups, vendors and their payloads", async () => {
    const ids = await Promise.all([
      begin("videoA_3_1", {}, slowPrompt),
      begin("videoE-v1", {}, "sandbox:seconds=0"),
      begin("videoC-2-0-260128", {}, "sandbox:seconds=0 sandbox:fail"),
    ]);
    await reaches(stand.gateway, ids[1] ?? "", "completed");
    await reaches(stand.gateway, ids[2] ?? "", "failed");
    for (const id of ids) {
      const text = JSON.stringify(await readBoth(id));
      for (const secret of ["sandbox", "sk-", "default", "operations", "cgt-", "channel"]) {
        expect([text.includes(secret), secret]).toEqual([false, secret]);
      }
    }
  });
});
