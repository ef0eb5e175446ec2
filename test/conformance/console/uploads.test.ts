// Files become assets by being uploaded: looked at as they come, kept with other media, seen by
// their owner alone, and gone with their asset.
import { beforeAll, expect, test } from "bun:test";
import { newPerson, type Person } from "../../harness/accounts/usage.ts";
import { eventually } from "../../harness/books.ts";
import { startGateway } from "../../harness/gateway.ts";
import { png } from "../../harness/media-samples.ts";
import { useStand } from "../../harness/nodes/stand.ts";

interface Answer {
  success: boolean;
  code?: string;
  param?: string | null;
  data: { id: string; url: string; name: string; kind: string; status: string };
}

type Sent = string | Uint8Array<ArrayBuffer>;

let ann: Person;
let bob: Person;

const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\nlog: { level: error }\n' }));

beforeAll(async () => {
  ann = await newPerson(gateway, 1_000_000);
  bob = await newPerson(gateway, 1_000_000);
});

async function call(token: string, method: string, path: string, body?: Sent): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(gateway.url + path, { method, headers, ...(body && { body }) });
  return (await response.json()) as Answer;
}

test("a file that is uploaded is an asset that its owner alone sees, until it is deleted", async () => {
  const path = "/api/asset/upload?kind=image&name=cat";
  const made = await call(ann.token, "POST", path, png(640, 480));
  expect(made.data).toMatchObject({ name: "cat", kind: "image" });
  const { id, url } = made.data;
  const read = (token: string) => call(token, "GET", `/api/asset/${id}`);
  await eventually("the asset", async () =>
    (await read(ann.token)).data.status === "active" ? true : undefined,
  );
  const file = await fetch(url);
  expect(file.headers.get("content-type")).toBe("image/png");
  expect((await file.arrayBuffer()).byteLength).toBe(png(640, 480).length);
  expect(await read(bob.token)).toMatchObject({ success: false, code: "not_found" });
  expect((await call(ann.token, "DELETE", `/api/asset/${id}`)).success).toBe(true);
  expect((await fetch(url)).status).toBe(404);
});

test("what cannot be used is refused with its reason, and nothing of it is kept", async () => {
  const refused = (query: string, body: Sent) =>
    call(ann.token, "POST", `/api/asset/upload?${query}`, body);
  expect(await refused("kind=video", png(640, 480))).toMatchObject({ param: "file" });
  expect(await refused("kind=image", png(64, 48))).toMatchObject({ param: "file" });
  expect(await refused("kind=image", "not a picture")).toMatchObject({ param: "file" });
  expect(await refused("kind=drawing", png(640, 480))).toMatchObject({ param: "kind" });
  expect(await refused("name=x", png(640, 480))).toMatchObject({ param: "kind" });
  const large = new Uint8Array(15 * 1024 * 1024 + 1);
  expect(await refused("kind=audio", large)).toMatchObject({ code: "request_body_too_large" });
  const { data } = await call(ann.token, "GET", "/api/asset");
  expect(data).toMatchObject({ items: [], total: 0 });
});
