import { expect, test } from "bun:test";
import { openPlane, type Plane } from "../admin/plane.test.ts";
import { GatewayError } from "../core/errors.ts";
import type { AccountId } from "../core/ids.ts";
import type { Inspection } from "../media/inspect.ts";
import { Assets } from "./assets.ts";

const picture: Inspection = {
  kind: "media",
  probe: { type: "image/png", kind: "image", width: 640, height: 480, seconds: null },
};

interface Look {
  url: string;
  end(inspection: Inspection): void;
}

function open({ parts }: Plane) {
  const looks: Look[] = [];
  const media = {
    fetch: { accepts: (url: string) => (url.startsWith("https:") ? url : null) },
    inspect: (url: string) => {
      const { promise, resolve } = Promise.withResolvers<Inspection>();
      looks.push({ url, end: resolve });
      return promise;
    },
  };
  return { assets: new Assets({ ...parts, media }), looks };
}

const input = (at: number) => ({
  url: `https://media.example/${at}`,
  name: "",
  kind: "image" as const,
});

async function refusal(run: Promise<unknown>): Promise<GatewayError> {
  try {
    await run;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

async function judged(assets: Assets, plane: Plane, id: string) {
  for (;;) {
    const asset = await assets.find(plane.root.accountId, id);
    if (asset?.status !== "processing") return asset;
    await new Promise(setImmediate);
  }
}

test("a few are looked at at once, the rest wait their turn", async () => {
  await using plane = await openPlane();
  const { assets, looks } = open(plane);
  const made = [];
  for (let at = 0; at < 6; at++) made.push(await assets.register(plane.root.accountId, input(at)));
  expect(looks.map(({ url }) => url)).toEqual([0, 1, 2, 3].map((at) => input(at).url));
  looks[2]?.end(picture);
  expect(await judged(assets, plane, made[2]?.id ?? "")).toMatchObject({ status: "active" });
  looks[0]?.end({ kind: "not fetchable" });
  const failed = await judged(assets, plane, made[0]?.id ?? "");
  expect(failed).toMatchObject({ status: "failed", error: { code: "NotFetchable" } });
  expect(looks).toHaveLength(6);
  await assets.close();
});

test("what was not judged is judged after the next start, and once", async () => {
  await using plane = await openPlane();
  const before = open(plane);
  const { id } = await before.assets.register(plane.root.accountId, input(1));
  await before.assets.close();
  before.looks[0]?.end({ kind: "not media" });
  const after = open(plane);
  await after.assets.resume();
  expect(after.looks.map(({ url }) => url)).toEqual([input(1).url]);
  after.looks[0]?.end(picture);
  expect(await judged(after.assets, plane, id)).toMatchObject({ status: "active", error: null });
  await after.assets.close();
  const third = open(plane);
  await third.assets.resume();
  expect(third.looks).toEqual([]);
});

test("E7 an asset is there for its account alone, and usable only when active", async () => {
  await using plane = await openPlane();
  const { assets, looks } = open(plane);
  const other = await plane.person("other");
  const { accountId } = plane.root;
  const { id } = await assets.register(accountId, input(1));
  const resolve = (whose: AccountId, text: string) => assets.resolve(whose, text, "image");
  const early = await refusal(resolve(accountId, id));
  expect(early).toMatchObject({ message: "image names an asset that is processing, not active" });
  looks[0]?.end(picture);
  await judged(assets, plane, id);
  expect(await resolve(accountId, id)).toMatchObject({ url: input(1).url });
  const unknown = { status: 400, message: "image names an asset that does not exist" };
  expect(await refusal(resolve(other.accountId, id))).toMatchObject(unknown);
  for (const text of ["../", "http://media.example", ""]) {
    expect(await refusal(resolve(accountId, text))).toMatchObject(unknown);
  }
  expect(await assets.find(other.accountId, id)).toBeNull();
  await assets.close();
});

test("one account cannot fill the queue", async () => {
  await using plane = await openPlane();
  const { assets } = open(plane);
  const { accountId } = plane.root;
  for (let at = 0; at < 50; at++) await assets.register(accountId, input(at));
  expect(await refusal(assets.register(accountId, input(50)))).toMatchObject({ status: 429 });
  const other = await plane.person("other");
  expect(await assets.register(other.accountId, input(51))).toMatchObject({ status: "processing" });
  await assets.close();
});
