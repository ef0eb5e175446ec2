// Ids in addresses of keys, escaped. The specification: an unknown task is a 404 with
// `task_not_found`, and "the `id` or `task_id` from creation" finds the task, however a client's
// library has written it into the address.
import { beforeAll, describe, expect, test } from "bun:test";
import { Compile } from "typebox/compile";
import { errorSchemas } from "../../../src/http/reference/errors.ts";
import { rootKey, startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { routes } from "../../harness/route-table.ts";

const gateway = useStand(() => startGateway({ config: "sandbox: auto\n" }));

function escaped(id: string): string {
  return Array.from(id, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
}

describe("a task", () => {
  let videoId = "";
  let imageId = "";

  beforeAll(async () => {
    const video = { model: "videoB-2", prompt: "A fox in the snow", size: "720x1280" };
    videoId = await createdId("/v1/videos", video);
    const image = { model: "imageA-2", prompt: "A fox in the snow" };
    imageId = await createdId("/v1/images/generations/async", image);
  });

  async function createdId(path: string, body: object): Promise<string> {
    const response = await gateway.post(path, body);
    expect(response.status).toBe(200);
    return String(((await response.json()) as { id: string }).id);
  }

  test.each(["/v1/videos", "/v1/video/generations", "/v1/images/generations/async"])(
    "is found at %s by its escaped id",
    async (path) => {
      const id = path.includes("images") ? imageId : videoId;
      for (const written of [escaped(id), `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`]) {
        const response = await gateway.get(`${path}/${written}`);
        expect([response.status, await response.json()]).toEqual([
          200,
          expect.objectContaining({ id }),
        ]);
      }
    },
  );

  test.each(["50%25", "a%2Fb", "%00", "%ff", "task%5F", "%25%35%30", "task_%E7%8B%90"])(
    "of the unknown id %s is a 404",
    async (id) => {
      for (const path of ["/v1/videos", "/v1/images/generations/async"]) {
        const response = await gateway.get(`${path}/${id}`);
        expect([path, response.status]).toEqual([path, 404]);
        expect(await response.json()).toMatchObject({
          error: { code: "task_not_found", type: "invalid_request_error" },
        });
      }
      expect((await gateway.get(`/v1/videos/${id}/content`)).status).toBe(404);
    },
  );

  test("is decoded once and not twice", async () => {
    const twice = escaped(videoId).replaceAll("%", "%25");
    expect((await gateway.get(`/v1/videos/${twice}`)).status).toBe(404);
  });
});

test("every address of a key answers for an unknown escaped id in its own envelope", async () => {
  const checkers = Object.fromEntries(
    Object.entries(errorSchemas).map(([name, schema]) => [name, Compile(schema)]),
  );
  const withId = routes.filter(({ path, policy }) => path.includes("{") && policy === "key");
  expect(withId.length).toBeGreaterThan(20);
  for (const { method, path, envelope } of withId) {
    const address = path.replace(/\{\w+\}/g, "a%25b");
    const response = await fetch(gateway.url + address, {
      method,
      headers: { authorization: `Bearer ${rootKey}`, "content-type": "application/json" },
      ...(method === "POST" && { body: "{}" }),
    });
    const body: unknown = await response.json();
    const name = `${method} ${path}`;
    expect([name, response.status]).not.toEqual([name, 500]);
    // A project that is named in the address is of no account.
    const isShaped = response.status < 400 || checkers[envelope]?.Check(body);
    expect([name, isShaped]).toEqual([name, true]);
    expect([name, JSON.stringify(body)]).not.toEqual([
      name,
      expect.stringContaining("invalid_path"),
    ]);
  }
});
