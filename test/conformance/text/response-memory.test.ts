// Responses over upstreams that keep none: clients refer to them all the same, for a while.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { errorOf } from "../../harness/ask.ts";
import { balanceOf } from "../../harness/books.ts";
import { list } from "../../harness/clients/client.ts";
import { responsesClient } from "../../harness/clients/responses.ts";
import { dialects, modelOf, startTapped } from "../../harness/dialects.ts";
import { rootKey } from "../../harness/gateway.ts";
import { placeSchema, proofsIn } from "../../harness/samples.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const stand = useStand(() => startTapped("distribution: { failures_to_eject: 1000 }"));

const path = "/v1/responses";
const tools = [{ type: "function", name: "get_weather", parameters: placeSchema }];
const thinking = {
  reasoning: { effort: "medium", summary: "auto" },
  include: ["reasoning.encrypted_content"],
};
const foreign = ["chat", "messages", "content"] as const;
const ways = foreign.flatMap((to) => [
  { to, stream: false, how: "whole" },
  { to, stream: true, how: "streamed" },
]);

interface Kept extends JsonObject {
  id: string;
  output: JsonObject[];
  previous_response_id: string | null;
}

async function ask(body: JsonObject, key = rootKey): Promise<Kept> {
  const response = await stand.gateway.post(path, body, key);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  const isStream = body["stream"] === true;
  return (isStream ? responsesClient.assemble(text) : JSON.parse(text)) as Kept;
}

async function refusal(body: JsonObject, key = rootKey): Promise<object> {
  const response = await stand.gateway.post(path, body, key);
  const { param, code } = await errorOf(response);
  return { status: response.status, param, code };
}

const unknownResponse = {
  status: 400,
  param: "previous_response_id",
  code: "previous_response_not_found",
};
const unknownItem = (param: string) => ({ status: 400, param, code: "invalid_request" });

const says = (content: string) => ({ role: "user", content });
const textOf = (reply: JsonObject) => responsesClient.read(reply).text;
const referTo = (items: readonly JsonObject[]) =>
  items.map(({ id }) => ({ type: "item_reference", id }));

/** Results of the tools for the calls of a response. */
function resultsOf({ output }: Kept, result: string): JsonObject[] {
  const calls = output.filter(({ type }) => type === "function_call");
  expect(calls).not.toEqual([]);
  return calls.map(({ call_id: id }) => ({
    type: "function_call_output",
    call_id: id,
    output: result,
  }));
}

/** Last request to the vendor. */
const sent = () => stand.tap.bodies.at(-1);

async function stored(method: string, of: string, key = rootKey): Promise<Response> {
  const headers = { authorization: `Bearer ${key}` };
  return await fetch(`${stand.gateway.url}${path}/${of}`, { method, headers });
}

describe.each(ways)("on $to, $how", ({ to, stream }) => {
  const common = { model: modelOf[to], stream, tools, ...thinking };

  test("T16 a loop of tools goes on by references alone, thinking included", async () => {
    const asked = [says("What is the weather in Oslo?")];
    const first = await ask({ ...common, input: asked });
    const told = resultsOf(first, "Rain and 7 degrees.");
    const second = await ask({ ...common, input: [...asked, ...referTo(first.output), ...told] });
    expect(textOf(second)).toMatch(/The tool returned: .*Rain and 7 degrees\./);
    expect(proofsIn(sent(), to)).not.toEqual([]);
    const byReference = sent();
    await ask({ ...common, input: [...asked, ...first.output, ...told] });
    expect(byReference).toEqual(sent() ?? {});
    const next = says("What is the weather in Rome?");
    const all = [first.output, told, second.output];
    const third = await ask({
      ...common,
      input: [...asked, ...referTo(first.output), ...told, ...referTo(second.output), next],
    });
    const thirdSent = sent();
    expect(resultsOf(third, "")).toHaveLength(1);
    await ask({ ...common, input: [...asked, ...all.flat(), next] });
    expect(thirdSent).toEqual(sent() ?? {});
  });

  test("T11 a conversation goes on by the id of its last response", async () => {
    const question = says("What is the weather in Oslo?");
    const first = await ask({ ...common, instructions: "Be brief.", input: question.content });
    expect(JSON.stringify(sent())).toContain("Be brief.");
    const told = resultsOf(first, "Rain and 7 degrees.");
    const second = await ask({ ...common, previous_response_id: first.id, input: told });
    expect(second.previous_response_id).toBe(first.id);
    expect(textOf(second)).toMatch(/The tool returned: .*Rain and 7 degrees\./);
    expect(JSON.stringify(sent())).not.toContain("Be brief.");
    await ask({ ...common, previous_response_id: second.id, input: "And in Rome?" });
    const byId = sent();
    const all = [question, ...first.output, ...told, ...second.output, says("And in Rome?")];
    await ask({ ...common, input: all });
    expect(byId).toEqual(sent() ?? {});
  });

  test("N5 it is read as it was answered, with what was said before it", async () => {
    const first = await ask({ ...common, input: "What is the weather in Oslo?" });
    const told = resultsOf(first, "Rain.");
    const second = await ask({ ...common, previous_response_id: first.id, input: told });
    const read = await stored("GET", second.id);
    expect(read.status).toBe(200);
    expect(await read.text()).toBe(JSON.stringify(second));
    const items = (query: string) => stored("GET", `${second.id}/input_items?${query}`);
    const listed = (await (await items("order=asc")).json()) as JsonObject;
    expect(listed).toMatchObject({
      object: "list",
      has_more: false,
      data: [
        { type: "message", role: "user", id: expect.stringMatching(/^msg_/) },
        ...first.output,
        { type: "function_call_output", output: "Rain." },
      ],
    });
    const page = (await (await items("limit=1")).json()) as JsonObject;
    expect(page).toMatchObject({ has_more: true, data: [{ type: "function_call_output" }] });
    expect((await items("limit=none")).status).toBe(400);
    expect((await stored("POST", `${second.id}/cancel`)).status).toBe(400);
  });

  test("N5 it is gone once it is deleted", async () => {
    const { id, output } = await ask({ ...common, input: "What is the weather in Oslo?" });
    const deleted = await stored("DELETE", id);
    expect(await deleted.json()).toEqual({ id, object: "response", deleted: true });
    expect((await stored("GET", id)).status).toBe(404);
    expect((await stored("DELETE", id)).status).toBe(404);
    const body = { ...common, previous_response_id: id, input: "And?" };
    expect(await refusal(body)).toEqual(unknownResponse);
    const input = [says("Well?"), ...referTo(output)];
    expect(await refusal({ ...common, input })).toEqual(unknownItem("input.1"));
  });

  test("N5 it is nobody else's", async () => {
    const owner = await stand.gateway.customer(10_000_000);
    const other = await stand.gateway.customer(10_000_000);
    const { id, output } = await ask({ ...common, input: "How is it in Oslo?" }, owner.key);
    const byId = { ...common, previous_response_id: id, input: "And?" };
    expect(await refusal(byId, other.key)).toEqual(unknownResponse);
    const byItem = { ...common, input: [says("Well?"), ...referTo(output)] };
    expect(await refusal(byItem, other.key)).toEqual(unknownItem("input.1"));
    for (const method of ["GET", "DELETE"]) {
      expect((await stored(method, id, other.key)).status).toBe(404);
    }
    expect((await stored("GET", `${id}/input_items`, other.key)).status).toBe(404);
    expect((await stored("GET", id, owner.key)).status).toBe(200);
  });

  test("T11 it is not kept when the client says so", async () => {
    const body = { ...common, store: false, input: "How is it in Oslo?" };
    const { id, output } = await ask(body);
    expect(await refusal({ ...body, previous_response_id: id })).toEqual(unknownResponse);
    expect(await refusal({ ...body, input: referTo(output) })).toEqual(unknownItem("input.0"));
    expect((await stored("GET", id)).status).toBe(404);
  });
});

describe("a remembered conversation", () => {
  const model = modelOf.chat;

  test.each(dialects)("T16 goes on with a model of another vendor, on %s", async (to) => {
    for (const from of foreign) {
      const settings = { tools, ...thinking };
      const input = "What is the weather in Oslo?";
      const first = await ask({ model: modelOf[from], ...settings, input });
      const next = await ask({
        model: modelOf[to],
        ...settings,
        previous_response_id: first.id,
        input: resultsOf(first, "Snow."),
      });
      expect(textOf(next)).toMatch(/The tool returned: .*Snow/);
    }
  });

  test("T11 leaves the names of the client's own items as they are", async () => {
    const { id } = await ask({ model, input: "How is it in Oslo?" });
    const input = [says("Well?"), { type: "item_reference", id: "msg_none" }];
    const body = { model, previous_response_id: id, input };
    expect(await refusal(body)).toEqual(unknownItem("input.1"));
  });

  test("T11 is not begun by a stream that broke off", async () => {
    const body = { model, input: "sandbox:error-after=3 How is it in Oslo?", stream: true };
    const text = await (await stand.gateway.post(path, body)).text();
    const [, id = ""] = /"id":"(resp_\w+)"/.exec(text) ?? [];
    expect(text).toContain("event: error");
    expect((await stored("GET", id)).status).toBe(404);
    const next = { model, previous_response_id: id, input: "And?" };
    expect(await refusal(next)).toEqual(unknownResponse);
  });

  test("T12 is condensed by the id of its last response", async () => {
    const { id } = await ask({ model, input: "I keep a lighthouse near Bergen." });
    const body = { model, previous_response_id: id };
    const response = await stand.gateway.post(`${path}/compact`, body);
    expect(response.status).toBe(200);
    const { output } = (await response.json()) as Kept;
    expect(output.map(({ type }) => type)).toEqual(["message", "compaction"]);
    expect(JSON.stringify(sent())).toContain("I keep a lighthouse near Bergen.");
  });

  test("N5 is counted with what is said next", async () => {
    const first = await ask({ model, input: "I keep a lighthouse near Bergen." });
    const next = says("How is it in Oslo?");
    // The first count of a node may be an estimate: it loads the tokenizer.
    const node = stand.gateway.first;
    const count = async (body: JsonObject) => {
      const response = await node.post(`${path}/input_tokens`, { model, ...body });
      return ((await response.json()) as { input_tokens: number }).input_tokens;
    };
    const own = await count({ input: [next] });
    const all = await count({ previous_response_id: first.id, input: [next] });
    const spelled = [says("I keep a lighthouse near Bergen."), ...first.output, next];
    expect(all).toBe(await count({ input: spelled }));
    expect(all).toBeGreaterThan(own + 20);
  });

  test("T11 is paid for again: the hold counts all of it", async () => {
    const { id: account, key } = await stand.gateway.customer(165_000);
    const said = "Lighthouses stand on rocks. ".repeat(7000);
    const settings = { model, max_output_tokens: 16 };
    const first = await ask({ ...settings, input: said }, key);
    const { quota_micros: left } = await balanceOf(stand.gateway, account);
    // Neither its bytes nor a count of them are covered a second time.
    expect(left).toBeWithin(1000, Math.floor(said.length * 0.6));
    const own = await ask({ ...settings, input: "And?" }, key);
    expect(list(own.output)).toHaveLength(1);
    const byId = { ...settings, previous_response_id: first.id, input: "And?" };
    expect(await refusal(byId, key)).toMatchObject({
      status: 402,
      code: "insufficient_user_quota",
    });
  });

  test("T11 does not grow without end by naming one item many times", async () => {
    const input = "Lighthouses. ".repeat(100);
    const { output } = await ask({ model, input });
    const many = Array.from({ length: 40_000 }, () => referTo(output)).flat();
    expect(await refusal({ model, input: many })).toMatchObject({ status: 413 });
  });
});
