// Price of images: held while they are made, charged by what came, by the image or by the token.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { balanceOf, heldOf } from "../../harness/books.ts";
import { runCommand } from "../../harness/command.ts";
import { entryOf } from "../../harness/entries.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { ImageHost, madeOf, picture, usage } from "../../harness/images/host.ts";
import { ask } from "../../harness/images/stand.ts";

setDefaultTimeout(60_000);

const prompt = "A fox in the snow";
const grantMicros = 50_000_000;
const config = `
groups:
  - { name: default }
  - { name: partners, multiplier: 1.5 }
prices:
  - model: imageA-2
    image_micros: 1000
    rules:
      - { size: "3840x2160", quality: high, image_micros: 9000 }
      - { size: "3840x2160", image_micros: 4000 }
      - { resolution: "2k", image_micros: 2000 }
      - { quality: high, image_micros: 3000 }
  - model: imageA-2-pro
    image_micros: 1000
    call_micros: 7
    input_micros_per_million: 5000000
    output_micros_per_million: 40000000
  - model: imageA-2-vip
    input_micros_per_million: 5000000
    output_micros_per_million: 40000000
  - { model: imageA-1, call_micros: 500 }
`;
const host = new ImageHost();
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway({ config });
  const models = ["imageA-1", "imageA-2", "imageA-2-pro", "imageA-2-vip", "imageA-2.5-flare"];
  const groups = ["default", "partners"];
  await gateway.control("POST", "/api/channel", host.channel({ models, groups }));
});

afterAll(async () => {
  const verified = await runCommand({ folder: gateway.folder }, "ledger", "verify");
  await gateway[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  expect(verified.code).toBe(0);
});

/** Micros held while the vendor drew, and micros charged then. */
async function moneyOf(body: JsonObject, key: object = {}): Promise<[held: number, used: number]> {
  const customer = await gateway.customer(grantMicros, key);
  const script = host.script;
  let held = -1;
  host.script = async (call) => {
    held = await heldOf(gateway, customer.id);
    return await script(call);
  };
  try {
    const answer = await ask(gateway, { prompt, ...body }, customer);
    const after = await balanceOf(gateway, customer.id);
    expect([answer.status, after.held_micros]).toEqual([200, 0]);
    expect(after.quota_micros).toBe(grantMicros - after.used_micros);
    return [held, after.used_micros];
  } finally {
    host.script = script;
  }
}

describe("images that are charged by the image", () => {
  test("Q2 N18 cost by size and quality, as the first rule that fits has it", async () => {
    host.script = () => madeOf([picture("a"), picture("b")]);
    const rows: [JsonObject, number][] = [
      [{}, 1000],
      [{ size: "1024x1024" }, 1000],
      [{ size: "3840x2160" }, 4000],
      [{ size: "3840x2160", quality: "high" }, 9000],
      [{ size: "2048x2048" }, 2000],
      [{ quality: "high" }, 3000],
      [{ quality: "low" }, 1000],
    ];
    for (const [said, each] of rows) {
      const money = await moneyOf({ model: "imageA-2", n: 2, ...said });
      expect([said, ...money]).toEqual([said, 2 * each, 2 * each]);
    }
    expect(await moneyOf({ model: "imageA-1", n: 2 })).toEqual([500, 500]);
    expect(await moneyOf({ model: "imageA-2.5-flare", n: 2 })).toEqual([120_000, 120_000]);
  });

  test("Q2 the group's multiplier is in the price", async () => {
    host.script = () => madeOf([picture()]);
    expect(await moneyOf({ model: "imageA-2" }, { group: "partners" })).toEqual([1500, 1500]);
  });

  test("Q2 fewer than were asked for cost less, and the answer says why", async () => {
    host.script = () =>
      Response.json({
        data: [{ b64_json: picture() }, { error: { code: "blocked", message: "Not this one." } }],
      });
    expect(await moneyOf({ model: "imageA-2", n: 3 })).toEqual([3000, 1000]);
    const { body, items } = await ask(gateway, { model: "imageA-2", prompt, n: 3 });
    expect(items).toHaveLength(1);
    expect(body["errors"]).toEqual([{ code: "blocked", message: "Not this one." }]);
  });

  test("Q2 more than were asked for are neither charged nor handed out", async () => {
    host.script = () => madeOf([picture("a"), picture("b"), picture("c")]);
    expect(await moneyOf({ model: "imageA-2", n: 2 })).toEqual([2000, 2000]);
    expect((await ask(gateway, { model: "imageA-2", prompt })).items).toHaveLength(1);
  });

  test("Q2 one of several that is no picture is not charged", async () => {
    const bad = Buffer.from("not a picture").toString("base64");
    host.script = () => madeOf([picture("a"), bad, picture("b")]);
    expect(await moneyOf({ model: "imageA-2", n: 3 })).toEqual([3000, 2000]);
  });
});

describe("images that are charged by the token", () => {
  const counted = 250 + 42_240;

  test("Q2 cost what the vendor counts, within what was held", async () => {
    host.script = () => madeOf([picture()], { usage });
    const [held, used] = await moneyOf({
      model: "imageA-2-pro",
      size: "1024x1024",
      quality: "low",
    });
    expect(used).toBe(counted + 7);
    expect(held).toBeGreaterThanOrEqual(used);
    expect((await moneyOf({ model: "imageA-2-vip" }))[1]).toBe(counted);
  });

  test("Q2 cost what the image costs where the vendor does not count", async () => {
    host.script = () => madeOf([picture()]);
    expect((await moneyOf({ model: "imageA-2-pro" }))[1]).toBe(1007);
  });

  test("Q2 cost the most that it can be where nothing else is known", async () => {
    host.script = () => madeOf([picture()]);
    const said = { model: "imageA-2-vip", size: "1024x1024", quality: "high" };
    const input = prompt.length + 128;
    const most = Math.ceil((input * 5_000_000 + (4160 + 4096) * 40_000_000) / 1_000_000);
    expect(await moneyOf(said)).toEqual([most, most]);
  });

  test("Q2 cost a part where a part of it could be handed out", async () => {
    const bad = Buffer.from("not a picture").toString("base64");
    host.script = () => madeOf([picture("a"), bad], { usage });
    const half = 25 * 5 + 528 * 40;
    expect((await moneyOf({ model: "imageA-2-vip", n: 2 }))[1]).toBe(half);
  });

  test("hazard B12 never cost more than they can take, whatever the vendor counts", async () => {
    host.script = () =>
      madeOf([picture()], { usage: { input_tokens: 1e15, output_tokens: 1e15 } as JsonObject });
    const said = { model: "imageA-2-vip", prompt, size: "1024x1024", quality: "high" };
    const answer = await ask(gateway.first, said);
    const id = answer.headers.get("x-request-id") ?? "";
    const entry = await entryOf(gateway, id);
    const input = Math.ceil((prompt.length + 128) * 1.25) + 2048;
    const output = (4160 + 4096) * 1.25 + 256;
    expect(entry).toMatchObject({
      micros: input * 5 + output * 40,
      usage: `!1i ${input}/${output}`,
    });
    const list = await gateway.first.control<{ items: JsonObject[] }>("GET", "/api/channel");
    expect(list.items).toContainEqual(expect.objectContaining({ implausible: 1 }));
  });

  test("Q2 never cost by numbers that make no sense", async () => {
    for (const tokens of [-5, Number.NaN, "many", null]) {
      host.script = () =>
        madeOf([picture()], {
          usage: { input_tokens: tokens, output_tokens: tokens } as JsonObject,
        });
      expect((await moneyOf({ model: "imageA-2-pro" }))[1]).toBe(1007);
    }
  });

  test("Q2 usage stands on the ledger's entry and in the answer", async () => {
    host.script = () => madeOf([picture("a"), picture("b")], { usage });
    const answer = await ask(gateway, { model: "imageA-2-pro", prompt, n: 2 });
    expect(answer.body["usage"]).toEqual({
      ...usage,
      output_tokens_details: { image_tokens: 0, text_tokens: 0 },
    });
    const id = answer.headers.get("x-request-id") ?? "";
    const entry = await entryOf(gateway, id);
    expect(entry).toMatchObject({ kind: "post", micros: counted + 7, usage: "2i 50/1056" });
    expect(JSON.parse(String(entry.price))).toMatchObject({ imageMicros: 1000, callMicros: 7 });
  });
});
