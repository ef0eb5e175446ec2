import { expect, test } from "bun:test";
import type { Json, JsonObject } from "../../core/json.ts";
import type { Format } from "../format.ts";
import { formats } from "../index.ts";
import { Opening } from "./opening.ts";

function fingerprintOf(format: Format, body: JsonObject): string | null {
  const opening = new Opening();
  format.conversation?.open(body, opening);
  return opening.fingerprint;
}

const user = (content: Json) => ({ role: "user", content });
const text = (words: string) => [{ type: "text", text: words }];

/** The same beginning on each wire; what follows it is another turn. */
const bodies: Record<string, (system: string, first: string, turn: number) => JsonObject> = {
  chat: (system, first, turn) => ({
    messages: [
      { role: "system", content: system },
      user(first),
      ...Array.from({ length: turn }, (_, at) => ({ role: "assistant", content: `${at}` })),
    ],
  }),
  responses: (system, first, turn) => ({
    instructions: system,
    input: [user(text(first)), { role: "assistant", content: text(String(turn)) }],
  }),
  messages: (system, first, turn) => ({
    system: [
      { type: "text", text: `x-anthropic-billing-header: cch=${turn};` },
      { type: "text", text: system, ...(turn > 1 && { cache_control: { type: "ephemeral" } }) },
    ],
    messages: [user(text(first)), { role: "assistant", content: `${turn}` }],
  }),
  content: (system, first, turn) => ({
    systemInstruction: { parts: [{ text: system }] },
    contents: [
      { role: "user", parts: [{ text: first }] },
      { role: "model", parts: [{ text: `${turn}` }] },
    ],
  }),
};

test.each(Object.keys(bodies))(
  "turns of a conversation in %s begin alike, others do not",
  (name) => {
    const format = Object.values(formats).find((one) => one.name === name);
    const body = bodies[name];
    if (!format || !body) throw new Error(`no format ${name}`);
    const first = fingerprintOf(format, body("You are.", "Begin.", 1));
    expect(first).not.toBeNull();
    expect(fingerprintOf(format, body("You are.", "Begin.", 2))).toBe(first);
    expect(fingerprintOf(format, body("You are.", "Begin anew.", 1))).not.toBe(first);
    expect(fingerprintOf(format, body("You were.", "Begin.", 1))).not.toBe(first);
  },
);

test("four KiB of each part are read, whatever they are written in, and no more", () => {
  const of = (system: string, first: string) =>
    fingerprintOf(formats.chat, bodies["chat"]?.(system, first, 0) ?? {});
  for (const letter of ["a", "中", "🦀"]) {
    const full = letter.repeat(Math.ceil(4096 / Buffer.byteLength(letter)));
    expect(of(`${full}one`, "x")).toBe(of(`${full}two`, "x"));
    expect(of("x", `${full}one`)).toBe(of("x", `${full}two`));
    expect(of(`one${full}`, "x")).not.toBe(of(`two${full}`, "x"));
  }
});

test("nothing said is no conversation", () => {
  expect(fingerprintOf(formats.chat, { messages: [{ role: "assistant", content: "Yes." }] })).toBe(
    null,
  );
});
