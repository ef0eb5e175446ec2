// Virtual models in the control plane: what is refused and where, what is shown, what a dry run
// says, and that what a vendor keeps stays with the member that made it.
import { beforeEach, expect, test } from "bun:test";
import { ask, allWell, fatesOf, memberOf, nameOf, rowOf, useChains, useVendors } from "./stand.ts";

const vendors = useVendors();
const gateway = useChains(vendors);
const path = "/api/virtual-model";
const [first, second] = [memberOf("chat", "first"), memberOf("chat", "second")];

beforeEach(() => allWell(vendors));

test("V8 a name that leads back to itself is refused, and so is what nothing serves", async () => {
  const write = (name: string, ...models: string[]) =>
    gateway.control("POST", path, { name, members: models.map((model) => ({ model })) });
  const envelope = (name: string, ...models: string[]) =>
    gateway.controlEnvelope("POST", path, { name, members: models.map((model) => ({ model })) });
  await write("a", first);
  await write("b", "a", second);
  await write("c", second, "b");
  expect((await envelope("a", first, "c")).message).toContain("members.1.model");
  expect((await envelope("a", "b")).message).toContain("leads back to a");
  expect((await envelope("d", first, "nothing-serves-it")).message).toContain("members.1.model");
  expect((await envelope("d", "sora-2")).message).toContain("members.0.model");
  expect((await envelope("sora-2", first)).message).toContain("name");
  expect((await envelope("d", first, first)).message).toContain("members.1.model");
  // A member of the name's own name is the model that channels serve by it.
  await write(first, first, second);
  expect((await ask(gateway, { client: "chat", model: first })).served).toBe(first);
  await gateway.control("DELETE", `${path}?name=${first}`);
  // Names within names are served by the models behind them, each once.
  const heard = await ask(gateway, { client: "chat", model: "c" });
  expect(fatesOf(await rowOf(gateway, heard.id))).toEqual(["served", "not_needed"]);
  const unpriced = await gateway.controlEnvelope("POST", path, {
    name: "e",
    price: "own",
    members: [{ model: first }],
  });
  expect(unpriced.message).toContain("price");
});

test("V8 a name that another has as a member stays, and a change is audited", async () => {
  await gateway.control("POST", path, { name: "inner", members: [{ model: first }] });
  await gateway.control("POST", path, { name: "outer", members: [{ model: "inner" }] });
  const kept = await gateway.controlEnvelope("DELETE", `${path}?name=inner`);
  expect(kept).toMatchObject({ success: false });
  await gateway.control("DELETE", `${path}?name=outer`);
  await gateway.control("DELETE", `${path}?name=inner`);
  expect((await ask(gateway, { client: "chat", model: "inner" })).status).toBe(503);
  const audit = await gateway.control<{ items: { action: string; target_id: string }[] }>(
    "GET",
    "/api/audit?target_kind=virtual_model&page_size=4",
  );
  expect(audit.items.map(({ action, target_id: id }) => `${action} ${id}`)).toEqual([
    "virtual_model.remove inner",
    "virtual_model.remove outer",
    "virtual_model.write outer",
    "virtual_model.write inner",
  ]);
});

test("V1 a dry run shows the chain, with the channels of each member", async () => {
  const route = await gateway.control<{
    members: { model: string; candidates: { name: string; turn: number | null }[] }[];
  }>("POST", "/api/route", { model: nameOf("chat") });
  expect(route.members.map(({ model, candidates }) => [model, candidates[0]?.name])).toEqual([
    [first, first],
    [second, second],
    [memberOf("chat", "third"), memberOf("chat", "third")],
  ]);
});

test("V9 what a member has made goes back to it, and on to others when it is out", async () => {
  const model = nameOf("responses");
  vendors.responses.first.fails();
  const { key } = await gateway.customer(1_000_000_000);
  const turn = await ask(gateway, { client: "responses", model, key });
  expect(turn.served).toBe(memberOf("responses", "second"));
  const { id } = JSON.parse(turn.text) as { id: string };
  vendors.responses.first.well();
  const fields = { previous_response_id: id };
  const next = await ask(gateway, { client: "responses", model, key, fields });
  expect(next.served).toBe(memberOf("responses", "second"));
  const fresh = await ask(gateway, { client: "responses", model, key });
  expect(fresh.served).toBe(memberOf("responses", "first"));
});

test("V9 a thought goes back to the member that signed it, until that one is out", async () => {
  const model = nameOf("messages");
  const signature = Buffer.from("signed by the second").toString("base64");
  const thought = { type: "thinking", thinking: "Hm.", signature };
  vendors.messages.second.mood = (_request, reply) =>
    reply.json({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [thought, { type: "text", text: "Yes." }],
      stop_reason: "end_turn",
      usage: { input_tokens: 10, output_tokens: 5 },
    });
  vendors.messages.first.fails();
  const { key } = await gateway.customer(1_000_000_000);
  const turn = await ask(gateway, { client: "messages", model, key });
  expect(turn.served).toBe(memberOf("messages", "second"));
  vendors.messages.first.well();
  const messages = [
    { role: "user", content: "hi" },
    { role: "assistant", content: [thought, { type: "text", text: "Yes." }] },
    { role: "user", content: "and?" },
  ];
  const next = await ask(gateway, { client: "messages", model, key, fields: { messages } });
  expect(next.served).toBe(memberOf("messages", "second"));
  vendors.messages.second.fails();
  const out = await ask(gateway, { client: "messages", model, key, fields: { messages } });
  expect(out.served).toBe(memberOf("messages", "first"));
});
