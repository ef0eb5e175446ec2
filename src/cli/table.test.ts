import { expect, test } from "bun:test";
import { dollars, renderFields, renderTable } from "./table.ts";

test("a table is as wide as what is in it, and numbers stand to the right", () => {
  const columns = ["name", "count", "list"] as const;
  const rows = [
    { name: "a", count: 5, list: ["x", "y"] },
    { name: "longer", count: 1234567, list: [] },
    { name: null, count: 0, list: true },
  ];
  expect(renderTable(columns, rows)).toBe(
    "NAME    COUNT    LIST\na             5  x, y\nlonger  1234567\n-             0  yes\n",
  );
  expect(renderTable(columns, [])).toBe("none\n");
});

test("a name cannot draw on the terminal", () => {
  const [, line] = renderTable(["n"], [{ n: "a\u001b[31mb\r\nc\u202e" }]).split("\n");
  expect(line).toBe("a?[31mb??c?");
});

test("micros are shown as dollars without losing any", () => {
  const shown = [0, 1, 1_000_000, 12_500_000, -2_500_001, 4_000_000_000_000_000].map(dollars);
  expect(shown).toEqual(["$0.00", "$0.000001", "$1.00", "$12.50", "-$2.500001", "$4000000000.00"]);
  expect(dollars(null)).toBe("unlimited");
});

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
