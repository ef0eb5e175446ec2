// The money of virtual models: held at the dearest member that could serve, charged as served or at
// the name's own price, and a member that the wallet does not cover is left out.
import { beforeEach, describe, expect, test } from "bun:test";
import { dialects } from "../../../harness/dialects.ts";
import { entryOf } from "../../../harness/entries.ts";
import {
  allWell,
  ask,
  costOf,
  counts,
  fatesOf,
  memberOf,
  nameOf,
  places,
  priceOf,
  rowOf,
  useChains,
  useVendors,
} from "./stand.ts";

const ownMicros = 7;
const vendors = useVendors();
const gateway = useChains(vendors, {
  prices: [{ model: "chat-own", ...priceOf(ownMicros) }],
  models: [
    {
      name: "chat-own",
      price: "own",
      members: places.map((place) => ({ model: memberOf("chat", place) })),
    },
    { name: "outer", members: [{ model: "chat-own" }, { model: memberOf("messages", "first") }] },
  ],
});

beforeEach(() => allWell(vendors));

describe.each(dialects)("asked as %p", (client) => {
  test("V3 the hold covers each member that may serve, at the dearest price", async () => {
    const { key } = await gateway.customer(1_000_000_000);
    const alone = await Promise.all(
      places.map(async (place) => {
        const heard = await ask(gateway, { client, model: memberOf(client, place), key });
        return (await entryOf(gateway, heard.id)).held_micros;
      }),
    );
    const heard = await ask(gateway, { client, model: nameOf(client), key });
    const { held_micros: held, micros } = await entryOf(gateway, heard.id);
    expect(held).toBe(Math.max(...alone));
    expect(held).toBeGreaterThan(alone[0] ?? 0);
    expect(micros).toBe(costOf("first"));
  });

  test("V3 a member that the wallet does not cover is left out, and the rest serve", async () => {
    const { key: rich } = await gateway.customer(1_000_000_000);
    const model = memberOf(client, "third");
    const { id } = await ask(gateway, { client, model, key: rich });
    const { held_micros: thirdMicros } = await entryOf(gateway, id);
    // Enough for the first and the third, and not for the second.
    const { key } = await gateway.customer(thirdMicros + 10);
    vendors[client].first.fails();
    const heard = await ask(gateway, { client, model: nameOf(client), key });
    expect(heard.text).toContain(`third of ${client}`);
    expect(vendors[client].second.asked).toBe(0);
    expect(fatesOf(await rowOf(gateway, heard.id))).toEqual(["failed", "unaffordable", "served"]);
    expect((await entryOf(gateway, heard.id)).held_micros).toBe(thirdMicros);
  });

  test("V3 who cannot pay for any member is refused, and nothing is sent", async () => {
    const { key } = await gateway.customer(10);
    const heard = await ask(gateway, { client, model: nameOf(client), key });
    expect(heard.status).toBe(402);
    for (const place of places) expect(vendors[client][place].asked).toBe(0);
  });

  test("V3 without a bound on the output each member is bounded by what was held", async () => {
    // Enough for about 2,000 tokens of the dearest, ten thousand of the cheapest.
    const { key } = await gateway.customer(14_000);
    const { first, second } = vendors[client];
    const bounds: number[] = [];
    const note = (body: Record<string, unknown>) => {
      const text = JSON.stringify(body);
      const bound = /"(?:max_(?:completion_|output_)?tokens|maxOutputTokens)":(\d+)/.exec(text);
      bounds.push(Number(bound?.[1]));
    };
    first.mood = ({ body }, reply) => {
      note(body);
      return reply.json({ error: { message: "No." } }, 500);
    };
    const { mood } = second;
    second.mood = (request, reply) => {
      note(request.body);
      return mood(request, reply);
    };
    const fields = unboundedFields[client];
    const heard = await ask(gateway, { client, model: nameOf(client), key, fields });
    if (client === "messages") return expect(heard.status).toBe(200);
    const { held_micros: held } = await entryOf(gateway, heard.id);
    const [cheap = 0, dear = 0] = bounds;
    expect(held).toBeLessThanOrEqual(14_000);
    expect(cheap).toBeLessThanOrEqual(held);
    expect(dear * 5).toBeLessThanOrEqual(held);
    expect(cheap).toBeGreaterThan(dear);
  });
});

/** On the wire of messages a bound is part of every request. */
const unboundedFields = {
  chat: { max_tokens: undefined, max_completion_tokens: undefined },
  responses: { max_output_tokens: undefined },
  messages: {},
  content: { generationConfig: {} },
} as const;

test("V3 a name with a price of its own is held and charged at that, whoever serves", async () => {
  const { key } = await gateway.customer(1_000_000_000);
  for (const [at, place] of places.entries()) {
    for (const before of places.slice(0, at)) vendors.chat[before].fails();
    for (const model of ["chat-own", "outer"]) {
      const heard = await ask(gateway, { client: "chat", model, key });
      expect(heard.text).toContain(`${place} of chat`);
      const { held_micros: held, micros } = await entryOf(gateway, heard.id);
      expect(micros).toBe((counts.input + counts.output) * ownMicros);
      expect(held).toBeGreaterThanOrEqual(400 * ownMicros);
    }
  }
});

test("V3 an account is charged for one member, whatever others were asked before", async () => {
  const { keyId, key } = await gateway.customer(1_000_000);
  vendors.chat.first.fails();
  vendors.chat.second.fails();
  await ask(gateway, { client: "chat", model: nameOf("chat"), key });
  const used = await gateway.control<{ used_micros: number }>("GET", `/api/token/${keyId}`);
  expect(used.used_micros).toBe(costOf("third"));
});
