// One name for a chain of models: each member serves when those before it cannot, on every format
// and dialect, and what is held, charged and told is that of the member that served.
import { beforeEach, describe, expect, test } from "bun:test";
import { dialects } from "../../../harness/dialects.ts";
import { entryOf } from "../../../harness/entries.ts";
import {
  allWell,
  ask,
  costOf,
  fatesOf,
  memberOf,
  nameOf,
  places,
  rowOf,
  useChains,
  useVendors,
  ways,
} from "./stand.ts";

const vendors = useVendors();
const gateway = useChains(vendors);

/** Each with retries of its own. */
const customer = async () => (await gateway.customer(1_000_000_000)).key;

beforeEach(() => allWell(vendors));

describe.each(ways)(
  "of $dialect, asked as $client, stream $stream",
  ({ client, dialect, stream }) => {
    test.each([0, 1, 2])("V1 the member at %p serves when those before it fail", async (at) => {
      const place = places[at] ?? "first";
      for (const before of places.slice(0, at)) vendors[dialect][before].fails();
      const heard = await ask(gateway, {
        client,
        model: nameOf(dialect),
        stream,
        key: await customer(),
      });
      expect(heard.status).toBe(200);
      expect(heard.text).toContain(`${place} of ${dialect}`);
      expect(heard.served).toBe(memberOf(dialect, place));
      const entry = await entryOf(gateway, heard.id);
      expect(entry.micros).toBe(costOf(place));
      expect(entry.usage).toContain(`served=${memberOf(dialect, place)}`);
      expect(entry.held_micros).toBeGreaterThanOrEqual(400 * 5);
      const row = await rowOf(gateway, heard.id);
      expect(row).toMatchObject({
        model: nameOf(dialect),
        served_model: memberOf(dialect, place),
        attempts: at + 1,
      });
      const wanted = places.map((_one, index) =>
        index < at ? "failed" : index === at ? "served" : "not_needed",
      );
      expect(fatesOf(row)).toEqual(wanted);
    });
  },
);

test("V1 when every member fails, the client reads the last failure and pays nothing", async () => {
  for (const place of places) vendors.chat[place].fails();
  const heard = await ask(gateway, {
    client: "chat",
    model: nameOf("chat"),
    key: await customer(),
  });
  expect(heard.status).toBe(500);
  expect((await entryOf(gateway, heard.id)).kind).toBe("void");
  expect(fatesOf(await rowOf(gateway, heard.id))).toEqual(["failed", "failed", "failed"]);
});

test("V1 attempts and retries are counted over the whole chain", async () => {
  for (const place of places) vendors.chat[place].fails();
  const key = await customer();
  for (let count = 0; count < 20; count++) {
    await ask(gateway, { client: "chat", model: nameOf("chat"), key });
  }
  // Five retries of the second channel's own, which is never the first of a request.
  expect(vendors.chat.first.asked).toBe(20);
  expect(vendors.chat.third.asked).toBe(5);
});

test("V1 a request that is the client's own fault goes to no other model", async () => {
  for (const dialect of dialects) {
    vendors[dialect].first.fails(400);
    const heard = await ask(gateway, { client: dialect, model: nameOf(dialect) });
    expect(heard.status).toBe(400);
    expect(vendors[dialect].second.asked).toBe(0);
  }
});
