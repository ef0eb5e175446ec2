import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../../core/errors.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import type { Recollection } from "../../recollection.ts";
import { ResponsesStreamEncoder } from "../encode-stream.ts";
import { eventsOf, exchangeOf, frameOf, textParts, writeAll } from "../fixtures/shapes.ts";
import { compaction, responses } from "../index.ts";
import { listOf } from "../read.ts";
import { keepResponse, reopenResponse } from "./keep.ts";
import { recallResponses } from "./recall.ts";
import { renderDeleted, renderInput, renderResponse } from "./render.ts";

const says = (text: string) => ({ role: "user", content: text });
const message = { id: "msg_1", type: "message", role: "assistant", content: [] };
const call = { id: "fc_1", type: "function_call", call_id: "c", name: "f", arguments: "{}" };
const reference = (id: string) => ({ type: "item_reference", id });

/** Knows two items, and the conversation that they end. */
const recollection: Recollection = {
  findItem: (id) => [message, call].find((item) => item.id === id) ?? null,
  findConversation: (id) => (id === "resp_1" ? [says("one"), message, call] : null),
};

const recall = (body: JsonObject) => recallResponses({ model: "m", ...body }, recollection);

describe("a request", () => {
  test("gets each item that it refers to in its place", () => {
    const input = [says("one"), reference("msg_1"), says("two"), reference("fc_1")];
    expect(recall({ input, user: "u" })).toEqual({
      body: { model: "m", user: "u", input: [says("one"), message, says("two"), call] },
      earlier: null,
    });
  });

  test("keeps a reference that is not known, for a vendor may know it", () => {
    const input = [reference("msg_2"), reference("msg_1")];
    expect(recall({ input })?.body["input"]).toEqual([reference("msg_2"), message]);
    expect(recall({ input: [reference("msg_2")] })).toBeNull();
  });

  test("goes on with the conversation that it names, which it then names no more", () => {
    const result = { type: "function_call_output", call_id: "c", output: "done" };
    const recalled = recall({ previous_response_id: "resp_1", input: [result] });
    expect(recalled).toEqual({
      body: { model: "m", input: [says("one"), message, call, result] },
      earlier: { replyId: "resp_1", itemCount: 3 },
    });
  });

  test("may go on with a text, with references, or with nothing", () => {
    const inputOf = (input: Json) => {
      const recalled = recall({ previous_response_id: "resp_1", input });
      return listOf(recalled?.body["input"]).slice(3);
    };
    expect(inputOf("two")).toMatchObject([{ role: "user", content: [{ text: "two" }] }]);
    expect(inputOf([reference("msg_1"), says("two")])).toEqual([message, says("two")]);
    expect(inputOf(null)).toEqual([]);
  });

  test("T11 keeps a response's id that is not known", () => {
    expect(recall({ previous_response_id: "resp_2", input: "two" })).toBeNull();
    const body = { previous_response_id: "resp_2", input: [reference("fc_1")] };
    expect(recall(body)?.body).toEqual({ model: "m", ...body, input: [call] });
  });

  test("that refers to nothing is left alone", () => {
    expect(recall({ input: "one" })).toBeNull();
    expect(recall({ input: [says("one"), message] })).toBeNull();
    expect(recall({})).toBeNull();
  });

  test("to condense a conversation recalls alike, and is not remembered", () => {
    expect(compaction.client?.recall).toBe(recallResponses);
    expect(compaction.client?.keep).toBeUndefined();
  });
});

describe("a recalled conversation", () => {
  const earlier = { replyId: "resp_1", itemCount: 2 };

  function refusal(input: Json[]): string | null {
    const body = { model: "m", input };
    try {
      responses.client?.decodeRequest(body, { ...responses.read(body, null), earlier });
      return "was accepted";
    } catch (error) {
      return error instanceof GatewayError ? error.param : String(error);
    }
  }

  test("does not change how the client's own items are called", () => {
    const known = [says("one"), message];
    expect(refusal([...known, says("two"), reference("msg_9")])).toBe("input.1");
    expect(refusal([says("one"), { type: "local_shell_call" }, says("two")])).toBe(
      "previous_response_id",
    );
    expect(refusal([...known, says("two")])).toBe("was accepted");
  });

  test("is named in the response that goes on with it", () => {
    const frame = frameOf({ input: [says("one"), says("two")] });
    const asked = { ...frame, request: { ...frame.request, earlier } };
    const reply = { id: null, choices: [], usage: null };
    expect(responses.client?.encodeReply(reply, asked)["previous_response_id"]).toBe("resp_1");
    expect(responses.client?.encodeReply(reply, frame)["previous_response_id"]).toBeNull();
  });
});

describe("a response that was written here", () => {
  const response = { id: "resp_1", status: "completed", output: [message, call], model: "m" };

  test("is known by its id and by those of its items", () => {
    const kept = keepResponse({ model: "m", input: "one" }, response);
    expect(kept).toEqual({ id: "resp_1", itemIds: ["msg_1", "fc_1"] });
  });

  test("comes back in pieces, with everything that was said before it", () => {
    expect(reopenResponse(null, response)).toMatchObject({ items: [message, call], input: null });
    expect(reopenResponse({ model: "m", input: "one" }, response)).toEqual({
      id: "resp_1",
      head: { ...response, output: [] },
      items: [message, call],
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "one" }] }],
    });
  });

  test("T20 that its vendor did not store comes back without what nobody can read", () => {
    const bare = { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] };
    const proven = { ...bare, id: "rs_2", encrypted_content: "x" };
    const unstored = { ...response, store: false, output: [bare, proven, message] };
    const { items } = reopenResponse({ input: [says("one")] }, unstored);
    expect(items).toEqual([{ id: "rs_1", type: "reasoning", summary: [] }, proven, message]);
    const known: Recollection = {
      findItem: (id) => items.find((item) => item["id"] === id) ?? null,
      findConversation: () => [says("one"), ...items],
    };
    const input = [reference("rs_1"), reference("rs_2")];
    expect(recallResponses({ input }, known)?.body["input"]).toEqual([proven]);
    expect(recallResponses({ input: [], previous_response_id: "resp_1" }, known)).toEqual({
      body: { input: [says("one"), proven, message] },
      earlier: { replyId: "resp_1", itemCount: 3 },
    });
  });

  test("is kept unless the client says that it must not be", () => {
    expect(keepResponse({ store: false }, response)).toBeNull();
    expect(keepResponse({ store: true }, response)).not.toBeNull();
    expect(keepResponse({ store: null }, response)).not.toBeNull();
  });

  test("is kept when it was cut off, and not when it failed", () => {
    expect(keepResponse({}, { ...response, status: "incomplete" })).not.toBeNull();
    expect(keepResponse({}, { ...response, status: "failed" })).toBeNull();
    expect(keepResponse({}, { ...response, status: "in_progress" })).toBeNull();
  });

  test("is known to who streamed it, as its last event told it", () => {
    const encoder = new ResponsesStreamEncoder(frameOf());
    expect(encoder.reply()).toBeNull();
    const events = eventsOf(writeAll(encoder, textParts("Hello there")));
    expect(encoder.reply()).toMatchObject({ status: "completed", output: [{ id: "msg_r1_0" }] });
    expect(events.at(-1)?.["response"]).toEqual(encoder.reply() ?? {});
  });

  test("is shown as it was answered", () => {
    const frame = { ...frameOf({ tools: [] }), exchange: exchangeOf({}) };
    const parts = [{ kind: "text" as const, text: "hi" }];
    const choices = [{ parts, stop: "stop" as const, stopSequence: null }];
    const reply = responses.client?.encodeReply({ id: null, choices, usage: null }, frame) ?? {};
    const kept = reopenResponse(frame.body, reply);
    expect(JSON.stringify(renderResponse(kept))).toBe(JSON.stringify(reply));
    expect(renderDeleted("resp_1")).toEqual({ id: "resp_1", object: "response", deleted: true });
  });
});

describe("what was said before a response", () => {
  const result = { type: "function_call_output", call_id: "c", output: "done" };
  const input = [says("one"), { role: "assistant", content: "two" }, call, result];
  const list = (query: string) => renderInput("resp_1", input, query);
  const idsOf = ({ data }: JsonObject) => (data as JsonObject[]).map(({ id }) => id);
  const ids = ["msg_resp_1_0", "msg_resp_1_1", "fc_1", "item_resp_1_3"];

  test("is listed in the vendor's form, each item with an id", () => {
    expect(list("order=asc")).toEqual({
      object: "list",
      data: [
        {
          id: ids[0],
          type: "message",
          status: "completed",
          role: "user",
          content: [{ type: "input_text", text: "one" }],
        },
        {
          id: ids[1],
          type: "message",
          status: "completed",
          role: "assistant",
          content: [{ type: "output_text", text: "two" }],
        },
        call,
        { id: ids[3], ...result },
      ],
      first_id: ids[0],
      last_id: ids[3],
      has_more: false,
    });
  });

  test("is listed the newest first, page by page", () => {
    expect(idsOf(list(""))).toEqual(ids.toReversed());
    expect(list("limit=3")).toMatchObject({ last_id: ids[1], has_more: true });
    expect(list(`limit=3&after=${ids[1]}`)).toMatchObject({ first_id: ids[0], has_more: false });
    expect(list(`after=${ids[0]}`)).toMatchObject({ data: [], first_id: null, last_id: null });
  });

  test.each(["limit=0", "limit=101", "limit=x", "after=nothing"])("%s is refused", (query) => {
    expect(() => list(query)).toThrow(GatewayError);
  });
});
