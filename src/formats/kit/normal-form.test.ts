import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { CallPart, Part, ResultPart, Turn } from "../exchange.ts";
import { exchangeWith } from "./fixtures/shapes.ts";
import { toNormalForm } from "./normal-form.ts";

function turnsOf(turns: Turn[]): Turn[] {
  return toNormalForm(exchangeWith({ turns })).turns;
}

function text(words: string): Part {
  return { kind: "text", text: words };
}

function call(id: string): CallPart {
  return { kind: "call", id, name: `tool-${id}`, input: "{}", isCustom: false };
}

function result(callId: string): ResultPart {
  const content = [{ kind: "text" as const, text: `result ${callId}` }];
  return { kind: "result", callId, name: null, content, isError: false, isCustom: false };
}

describe("turns", () => {
  test("X-M07 of the same role that follow each other are one", () => {
    expect(
      turnsOf([
        { role: "user", parts: [text("a")] },
        { role: "user", parts: [text("b")] },
        { role: "assistant", parts: [text("c")] },
      ]),
    ).toEqual([
      { role: "user", parts: [text("a"), text("b")] },
      { role: "assistant", parts: [text("c")] },
    ]);
  });

  test("X-M06 without a word are left out, and so are empty texts", () => {
    expect(
      turnsOf([
        { role: "user", parts: [text(""), text("a")] },
        { role: "assistant", parts: [text("")] },
        { role: "user", parts: [text("b")] },
      ]),
    ).toEqual([{ role: "user", parts: [text("a"), text("b")] }]);
    const system = [
      { kind: "text" as const, text: "" },
      { kind: "text" as const, text: "s" },
    ];
    expect(toNormalForm(exchangeWith({ system })).system).toEqual(system.slice(1));
  });

  test("of the client's exchange stay as they were", () => {
    const turns: Turn[] = [
      { role: "user", parts: [text("a")] },
      { role: "user", parts: [text("b")] },
    ];
    turnsOf(turns);
    expect(turns.map(({ parts }) => parts.length)).toEqual([1, 1]);
  });
});

describe("calls and results", () => {
  test("X-T14 results stand in the order of their calls, in one turn, before anything else", () => {
    expect(
      turnsOf([
        { role: "assistant", parts: [call("a"), call("b")] },
        { role: "user", parts: [result("b")] },
        { role: "user", parts: [text("and then?"), result("a")] },
      ]),
    ).toEqual([
      { role: "assistant", parts: [call("a"), call("b")] },
      {
        role: "user",
        parts: [
          { ...result("a"), name: "tool-a" },
          { ...result("b"), name: "tool-b" },
          text("and then?"),
        ],
      },
    ]);
  });

  test("an instruction between a call and its result waits for the result", () => {
    const [, second, third] = turnsOf([
      { role: "assistant", parts: [call("a")] },
      { role: "system", parts: [text("be brief")] },
      { role: "user", parts: [result("a")] },
    ]);
    expect(second).toMatchObject({ role: "user", parts: [{ kind: "result", callId: "a" }] });
    expect(third).toEqual({ role: "system", parts: [text("be brief")] });
  });

  test("X-T17 a result without a call is text, and a call without a result gets one", () => {
    expect(
      turnsOf([
        { role: "assistant", parts: [call("a")] },
        { role: "user", parts: [result("x")] },
      ]),
    ).toEqual([
      { role: "assistant", parts: [call("a")] },
      {
        role: "user",
        parts: [
          {
            kind: "result",
            callId: "a",
            name: "tool-a",
            content: [{ kind: "text", text: "The tool gave no result." }],
            isError: true,
            isCustom: false,
          },
          text("Result of a tool (x):"),
          text("result x"),
        ],
      },
    ]);
  });

  test("an id that is used again belongs to the call before it each time", () => {
    const turns = turnsOf([
      { role: "assistant", parts: [call("a")] },
      { role: "user", parts: [result("a")] },
      { role: "assistant", parts: [call("a")] },
      { role: "user", parts: [{ ...result("a"), isError: true }] },
    ]);
    expect(turns.map(({ parts }) => parts)).toMatchObject([
      [{ kind: "call", id: "a" }],
      [{ kind: "result", callId: "a", isError: false }],
      [{ kind: "call", id: "a_2" }],
      [{ kind: "result", callId: "a_2", isError: true }],
    ]);
  });
});

describe("tools", () => {
  test("X-T04 without any, there is no choice among them", () => {
    const exchange = exchangeWith({ toolChoice: { kind: "required" } });
    expect(toNormalForm(exchange)).toMatchObject({ tools: [], toolChoice: null });
  });

  test("X-T19 a history with calls has tools, which are not to be called again", () => {
    const custom: CallPart = { ...call("b"), isCustom: true };
    const turns: Turn[] = [{ role: "assistant", parts: [call("a"), custom, call("a")] }];
    const { tools, toolChoice } = toNormalForm(exchangeWith({ turns }));
    expect(tools).toEqual([
      {
        name: "tool-a",
        description: null,
        schema: { type: "object", properties: {} },
        isStrict: null,
        custom: null,
      },
      { name: "tool-b", description: null, schema: null, isStrict: null, custom: { format: null } },
    ]);
    expect(toolChoice).toEqual({ kind: "none" });
  });
});

test("whatever a client sends, the laws hold", () => {
  const ids = fc.constantFrom("a", "b", "c");
  const parts = fc.oneof(fc.constantFrom("", "x").map(text), ids.map(call), ids.map(result));
  const turns = fc.array(
    fc.record({
      role: fc.constantFrom<Turn["role"]>("system", "user", "assistant"),
      parts: fc.array(parts),
    }),
  );
  const isOf = (role: Turn["role"]) => (part: Part) =>
    role === "assistant" ? part.kind !== "result" : part.kind !== "call";
  const sorted = (list: Turn[]) =>
    list.map((turn) => ({ ...turn, parts: turn.parts.filter(isOf(turn.role)) }));
  fc.assert(
    fc.property(turns.map(sorted), (list) => {
      const normal = turnsOf(list);
      for (const [at, turn] of normal.entries()) {
        expect(turn.parts.length).toBeGreaterThan(0);
        expect(normal[at + 1]?.role).not.toBe(turn.role);
        const calls = turn.parts.filter((part) => part.kind === "call").map(({ id }) => id);
        const next = normal[at + 1]?.parts.slice(0, calls.length) ?? [];
        const answered = next.map((part) => (part.kind === "result" ? part.callId : null));
        expect(answered).toEqual(calls);
      }
      expect(turnsOf(normal)).toEqual(normal);
    }),
  );
});
