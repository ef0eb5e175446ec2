import { expect, test } from "bun:test";
import { openPlane, type Plane } from "../admin/fixtures/control-plane.ts";
import type { Timers } from "../core/clock.ts";
import { GatewayError } from "../core/errors.ts";
import type { AccountId, ChannelId } from "../core/ids.ts";
import type { Inspection } from "../media/inspect.ts";
import type { Operator } from "../identity/caller.ts";
import { SimulatedTime } from "../../test/sim/simulated-time.ts";
import type { AssetPlace } from "./asset.ts";
import { Assets } from "./assets.ts";
import { AssetClaims } from "./claims.ts";
import type { Registrar, AssetRegistration, Standing } from "./placer.ts";

const picture: Inspection = {
  kind: "media",
  probe: { type: "image/png", kind: "image", width: 640, height: 480, seconds: null },
};

interface Look {
  url: string;
  end(inspection: Inspection): void;
}

function open({ control }: Plane, registrar = nowhere, isSole = true) {
  const looks: Look[] = [];
  const media = {
    fetch: { accepts: (url: string) => (url.startsWith("https:") ? url : null) },
    store: {
      keep: () => Promise.reject(new Error("nothing is kept")),
      link: (id: string) => `https://gateway.example/media/${id}`,
      remove: async () => {},
    },
    inspect: (url: string) => {
      const { promise, resolve } = Promise.withResolvers<Inspection>();
      looks.push({ url, end: resolve });
      return promise;
    },
  };
  const time = new SimulatedTime();
  const waits: (() => void)[] = [];
  const timers: Timers = {
    // Time passes only for who waits, so nothing runs out while the disk is slow.
    after: (delayMs, run) => {
      waits.push(() => {
        time.advance(Math.ceil(delayMs));
        run();
      });
      return () => {};
    },
    every: (_periodMs, run) => {
      beats.push(run);
      return () => {};
    },
  };
  const beats: (() => void)[] = [];
  const pace = { firstMs: 1000, mostMs: 10_000 };
  const claims = new AssetClaims({ database: control.database, clock: time, isSole });
  const assets = new Assets({ ...control, claims, media, registrar, pace, clock: time, timers });
  return { assets, looks, waits, time, beats };
}

const nowhere: Registrar = {
  register: async () => ({ kind: "unneeded" }),
  status: async () => ({ kind: "unclear" }),
};

/** A caller with a key of this group. */
const asking = ({ accountId }: Operator, group = "default") => ({ accountId, group });

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

test("two of an account are looked at at once, the rest wait, and other accounts do not", async () => {
  await using plane = await openPlane();
  const { assets, looks } = open(plane);
  const made = [];
  for (let at = 0; at < 6; at++) made.push(await assets.register(asking(plane.root), input(at)));
  const urls = () => looks.map(({ url }) => url);
  expect(urls()).toEqual([0, 1].map((at) => input(at).url));
  const other = await plane.person("other");
  await assets.register(asking(other), input(9));
  expect(urls()).toEqual([0, 1, 9].map((at) => input(at).url));
  looks[1]?.end(picture);
  expect(await judged(assets, plane, made[1]?.id ?? "")).toMatchObject({ status: "active" });
  looks[0]?.end({ kind: "not fetchable" });
  const failed = await judged(assets, plane, made[0]?.id ?? "");
  expect(failed).toMatchObject({ status: "failed", error: { code: "NotFetchable" } });
  expect(urls()).toEqual([0, 1, 9, 2, 3].map((at) => input(at).url));
  await assets.close();
});

test("few are looked at at once, whoever they belong to", async () => {
  await using plane = await openPlane();
  const { assets, looks } = open(plane);
  for (let person = 0; person < 6; person++) {
    const owner = await plane.person(`owner${person}`);
    for (let at = 0; at < 2; at++) await assets.register(asking(owner), input(at));
  }
  expect(looks).toHaveLength(8);
  looks[0]?.end({ kind: "not media" });
  while (looks.length < 9) await new Promise(setImmediate);
  await assets.close();
});

test("what was not judged is judged after the next start, and once", async () => {
  await using plane = await openPlane();
  const before = open(plane);
  const { id } = await before.assets.register(asking(plane.root), input(1));
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

test("hazard E7 an asset is there for its account alone, and usable only when active", async () => {
  await using plane = await openPlane();
  const { assets, looks } = open(plane);
  const other = await plane.person("other");
  const { accountId } = plane.root;
  const { id } = await assets.register(asking(plane.root), input(1));
  const resolve = (whose: AccountId, text: string) => assets.resolve(whose, text, "image");
  const early = await refusal(resolve(accountId, id));
  expect(early).toMatchObject({ message: "image names an asset that is processing, not active" });
  looks[0]?.end(picture);
  await judged(assets, plane, id);
  expect(await resolve(accountId, id)).toMatchObject({ url: input(1).url });
  const unknown = { code: "invalid_request", message: "image names an asset that does not exist" };
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
  for (let at = 0; at < 50; at++) await assets.register(asking(plane.root), input(at));
  expect(await refusal(assets.register(asking(plane.root), input(50)))).toMatchObject({
    code: "too_many_requests",
  });
  const other = await plane.person("other");
  expect(await assets.register(asking(other), input(51))).toMatchObject({ status: "processing" });
  await assets.close();
});

const place: AssetPlace = {
  channelId: "chn_one" as ChannelId,
  keyDigest: "digest",
  reference: "asset-upstream",
};

/** An upstream that says what a test has it say, and what it was asked. */
class Upstream implements Registrar {
  readonly asked: string[] = [];
  registration: AssetRegistration = { kind: "placed", place };
  standing: Standing = { kind: "processing" };

  async register({ group }: { group: string }): Promise<AssetRegistration> {
    this.asked.push(`register for ${group}`);
    return this.registration;
  }

  async status(_: unknown, { reference }: AssetPlace): Promise<Standing> {
    this.asked.push(`status of ${reference}`);
    return this.standing;
  }
}

type Opened = ReturnType<typeof open>;

/** Lets the time pass until the upstream was asked this often. */
async function isAsked({ waits }: Opened, { asked }: Upstream, times: number) {
  while (asked.length < times) {
    waits.shift()?.();
    await new Promise(setImmediate);
  }
}

test("N6 an asset is active when its upstream says so, and known by the upstream's name", async () => {
  await using plane = await openPlane();
  const upstream = new Upstream();
  const opened = open(plane, upstream);
  const { assets, looks } = opened;
  const { id } = await assets.register(asking(plane.root, "video"), input(1));
  looks[0]?.end(picture);
  await isAsked(opened, upstream, 3);
  expect(upstream.asked.slice(0, 3)).toEqual([
    "register for video",
    "status of asset-upstream",
    "status of asset-upstream",
  ]);
  expect(await assets.find(plane.root.accountId, id)).toMatchObject({ status: "processing" });
  upstream.standing = { kind: "active" };
  await isAsked(opened, upstream, upstream.asked.length + 1);
  expect(await judged(assets, plane, id)).toMatchObject({ status: "active", place });
  await assets.close();
});

test("N6 media that was found unfit is not brought to an upstream", async () => {
  await using plane = await openPlane();
  const upstream = new Upstream();
  const { assets, looks } = open(plane, upstream);
  const { id } = await assets.register(asking(plane.root), input(1));
  looks[0]?.end({ kind: "not media" });
  expect(await judged(assets, plane, id)).toMatchObject({ status: "failed", place: null });
  expect(upstream.asked).toEqual([]);
  await assets.close();
});

test("N6 an asset that its upstream refuses, at once or later, has failed with its code", async () => {
  await using plane = await openPlane();
  const upstream = new Upstream();
  const error = { code: "InvalidMedia", message: "Not media." };
  upstream.registration = { kind: "failed", error };
  const opened = open(plane, upstream);
  const { assets, looks } = opened;
  const first = await assets.register(asking(plane.root), input(1));
  looks[0]?.end(picture);
  expect(await judged(assets, plane, first.id)).toMatchObject({ status: "failed", error });
  upstream.registration = { kind: "placed", place };
  upstream.standing = { kind: "failed", error };
  const second = await assets.register(asking(plane.root), input(2));
  looks[1]?.end(picture);
  await isAsked(opened, upstream, 3);
  expect(await judged(assets, plane, second.id)).toMatchObject({ status: "failed", error });
  await assets.close();
});

test("N6 an upstream that cannot be asked is asked again, and not for ever", async () => {
  await using plane = await openPlane();
  const upstream = new Upstream();
  upstream.registration = { kind: "unclear" };
  const opened = open(plane, upstream);
  const { assets, looks, waits } = opened;
  const { id } = await assets.register(asking(plane.root), input(1));
  looks[0]?.end(picture);
  await isAsked(opened, upstream, 3);
  for (let wait = waits.shift(); wait; wait = waits.shift()) {
    wait();
    await new Promise(setImmediate);
  }
  expect(await judged(assets, plane, id)).toMatchObject({ error: { code: "UpstreamTimeout" } });
  expect(upstream.asked.length).toBeWithin(150, 250);
  await assets.close();
});

test("N6 what an upstream has is neither looked at nor registered again after a start", async () => {
  await using plane = await openPlane();
  const upstream = new Upstream();
  const before = open(plane, upstream);
  const { id } = await before.assets.register(asking(plane.root), input(1));
  before.looks[0]?.end(picture);
  await isAsked(before, upstream, 2);
  await before.assets.close();
  const next = new Upstream();
  next.standing = { kind: "active" };
  const after = open(plane, next);
  await after.assets.resume();
  expect(await judged(after.assets, plane, id)).toMatchObject({ status: "active", place });
  expect([after.looks, next.asked]).toEqual([[], ["status of asset-upstream"]]);
  await after.assets.close();
});

test("N6 a slow upstream keeps no other media from being looked at", async () => {
  await using plane = await openPlane();
  const upstream = new Upstream();
  const { assets, looks } = open(plane, upstream);
  for (let at = 0; at < 6; at++) await assets.register(asking(plane.root), input(at));
  for (let at = 0; at < 6; at++) {
    while (!looks[at]) await new Promise(setImmediate);
    looks[at]?.end(picture);
  }
  while (upstream.asked.length < 6) await new Promise(setImmediate);
  expect(upstream.asked).toHaveLength(6);
  await assets.close();
});

test("one of two nodes looks at an asset, and the other one takes up what it has left", async () => {
  await using plane = await openPlane();
  const [one, other] = [open(plane, nowhere, false), open(plane, nowhere, false)];
  const { id } = await one.assets.register(asking(plane.root), input(1));
  await other.assets.resume();
  expect([one.looks.length, other.looks.length]).toEqual([1, 0]);
  await one.assets.close();
  await other.assets.resume();
  expect(other.looks).toHaveLength(1);
  other.looks[0]?.end(picture);
  expect(await judged(other.assets, plane, id)).toMatchObject({ status: "active" });
});

test("what a dead node had is taken up once its claim has run out, and by one node", async () => {
  await using plane = await openPlane();
  const [dead, one, other] = [0, 1, 2].map(() => open(plane, nowhere, false));
  await dead?.assets.register(asking(plane.root), input(1));
  for (const node of [one, other]) node?.time.advance(14_000);
  await one?.assets.resume();
  expect(one?.looks).toHaveLength(0);
  for (const node of [one, other]) node?.time.advance(2000);
  await Promise.all([one?.assets.resume(), other?.assets.resume()]);
  expect((one?.looks.length ?? 0) + (other?.looks.length ?? 0)).toBe(1);
});

test("a node keeps what it looks at for as long as it is heard of", async () => {
  await using plane = await openPlane();
  const [one, other] = [open(plane, nowhere, false), open(plane, nowhere, false)];
  await one.assets.register(asking(plane.root), input(1));
  for (const node of [one, other]) node.time.advance(10_000);
  for (const beat of one.beats) beat();
  for (const node of [one, other]) node.time.advance(10_000);
  await other.assets.resume();
  expect([one.looks.length, other.looks.length]).toEqual([1, 0]);
});
