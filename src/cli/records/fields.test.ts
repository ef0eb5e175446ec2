import { expect, test } from "bun:test";
import { renderFields } from "./fields.ts";

test("whatever an object has is shown, money and moments as people read them", () => {
  const shown = renderFields({
    request_id: "req_1",
    time: 1_700_000_000.5,
    micros: 2500,
    error_code: null,
    stream: true,
    drawn: "a\u001b[31mred",
    tries: [
      { channel: "one", status: 503, created_at: 1_700_000_000 },
      { channel: "two", status: 200, words: "ok" },
    ],
    none: [],
  });
  expect(shown).toBe(
    [
      "request_id  req_1",
      "time        2023-11-14T22:13:20.500Z",
      "micros      $0.0025",
      "error_code  -",
      "stream      yes",
      "drawn       a?[31mred",
      "tries:",
      "  CHANNEL  STATUS  CREATED AT                WORDS",
      "  one      503     2023-11-14T22:13:20.000Z  -",
      "  two      200     -                         ok",
      "none        []",
      "",
    ].join("\n"),
  );
});
