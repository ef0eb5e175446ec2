import { expect, test } from "bun:test";
import { openPlane, refusal } from "../fixtures/control-plane.ts";
import { parseQuery } from "../parse-query.ts";
import { priceCalls } from "./contract.ts";
import { listPriceViews } from "./list.ts";
import { removePrice } from "./remove.ts";
import { setPrice } from "./write.ts";

const perMillion = { input_micros_per_million: 100, output_micros_per_million: 200 };
const everything = { query: { p: 1, page_size: 100 } };

test("N18 an own price replaces the catalogue's until it is deleted", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const shipped = control.prices.snapshot("chatA", 1_000_000).input;
  const set = await setPrice(control, root, { body: { model: "chatA", ...perMillion } });
  expect(set).toEqual({ model: "chatA", ...perMillion, source: "own", declared: false });
  expect(Number(control.prices.snapshot("chatA", 1_000_000).input)).toBe(100);
  await removePrice(control, root, { query: { model: "chatA" } });
  expect(control.prices.snapshot("chatA", 1_000_000).input).toBe(shipped);
});

test("the list holds each model once, with where its price comes from", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  await setPrice(control, root, { body: { model: "chatA", ...perMillion } });
  await setPrice(control, root, { body: { model: "vendor/model:free", call_micros: 5 } });
  const { items, total } = await listPriceViews(control, root, everything);
  expect(total).toBe(items.length);
  expect(new Set(items.map(({ model }) => model)).size).toBe(items.length);
  expect(items.filter(({ source }) => source === "own").map(({ model }) => model)).toEqual([
    "chatA",
    "vendor/model:free",
  ]);
  expect(items.find(({ model }) => model === "videoB-2")).toEqual({
    model: "videoB-2",
    second_micros: 100_000,
    source: "catalogue",
    declared: false,
  });
});

test("N18 a price of tokens names both input and output, so that neither is free", async () => {
  const set = (body: object) =>
    refusal((async () => priceCalls.write.body.parse({ model: "m", ...body }))());
  const output = "output_micros_per_million";
  expect((await set({ input_micros_per_million: 5 })).param).toBe(output);
  expect((await set({ [output]: 5 })).param).toBe("input_micros_per_million");
  expect((await set({ cache_read_micros_per_million: 5 })).param).toBe("input_micros_per_million");
  expect((await set({})).param).toBe("model");
  expect((await set({ ...perMillion, [output]: -1 })).param).toBe(output);
  expect((await set({ ...perMillion, [output]: 1.5 })).param).toBe(output);
});

test("a price that is not there cannot be deleted", async () => {
  await using plane = await openPlane();
  const remove = async (text: string) => {
    const query = parseQuery(priceCalls.remove.query, new URLSearchParams(text));
    return await removePrice(plane.control, plane.root, { query });
  };
  expect((await refusal(remove("model=chatA"))).code).toBe("not_found");
  expect((await refusal(remove(""))).param).toBe("model");
});
