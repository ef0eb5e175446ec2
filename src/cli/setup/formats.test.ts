import { expect, test } from "bun:test";
import { assert, dictionary, jsonValue, property, string } from "fast-check";
import { envFormat } from "./env-format.ts";
import { jsonFormat } from "./json-format.ts";
import { putIn, takeOut, writtenParts, type SettingPart, type TextFormat } from "./parts.ts";
import { tomlFormat } from "./toml-format.ts";

const parts: SettingPart[] = [
  { at: ["env", "ADDRESS"], value: "http://127.0.0.1:3000" },
  { at: ["env", "KEY"], value: "sk-one" },
  { at: ["model"], value: "chatA" },
];

function there(format: TextFormat, text: string, given: SettingPart[] = parts): string {
  return putIn(format, text, given);
}

function back(
  format: TextFormat,
  text: string,
  former: string,
  given: SettingPart[] = parts,
): string {
  return takeOut(format, text, { former, parts: writtenParts(given) });
}

test.each([
  [
    "nothing",
    "",
    `{\n  "env": {\n    "ADDRESS": "http://127.0.0.1:3000",\n    "KEY": "sk-one"\n  },\n  "model": "chatA"\n}\n`,
  ],
  [
    "comments and a trailing comma",
    `{\n    // mine\n    "env": { "A": "1" /* one */, }, // and this\n    "b": 1.50, // last\n}\n`,
    `{\n    // mine\n    "env": { "A": "1" /* one */, "ADDRESS": "http://127.0.0.1:3000", "KEY": "sk-one", }, // and this\n    "b": 1.50, // last\n    "model": "chatA",\n}\n`,
  ],
  [
    "a comment behind the last value",
    `{\r\n\t"env": {},\r\n\t"model": "mine" // best\r\n}`,
    `{\r\n\t"env": {\r\n    "ADDRESS": "http://127.0.0.1:3000",\r\n    "KEY": "sk-one"\r\n  },\r\n\t"model": "chatA" // best\r\n}`,
  ],
])("a JSON text with %s keeps every other byte", (_name, text, expected) => {
  expect(there(jsonFormat, text)).toBe(expected);
});

test.each(["{", "[1]", `{"a": }`, `{"a": 1 "b": 2}`, `{"a": 1}}`, `{'a': 1}`, `{"env": 3}`])(
  "a JSON text that cannot be ours is refused: %s",
  (text) => {
    expect(() => there(jsonFormat, text)).toThrow();
  },
);

test("values come and go in any JSON object, and all else stays the same", () => {
  const any = dictionary(string(), jsonValue());
  assert(
    property(any, any, (env, rest) => {
      for (const indent of [0, 2]) {
        const text = JSON.stringify({ ...rest, env }, null, indent);
        const set = there(jsonFormat, text);
        const before = jsonFormat.read(text);
        expect(before).toEqual(JSON.parse(text));
        expect(jsonFormat.read(set)).toEqual({
          ...before,
          env: {
            ...JSON.parse(JSON.stringify(env)),
            ADDRESS: "http://127.0.0.1:3000",
            KEY: "sk-one",
          },
          model: "chatA",
        });
        expect(jsonFormat.read(back(jsonFormat, set, text))).toEqual(before);
      }
    }),
  );
});

const provider: SettingPart[] = [
  { at: ["model_provider"], value: "sluice" },
  { at: ["model"], value: 'odd "model"' },
  { at: ["model_providers", "sluice", "base_url"], value: "http://127.0.0.1:3000/v1" },
  { at: ["model_providers", "sluice", "token"], value: "sk-one" },
];

const toml = `# mine
model = "gpt-5" # best
notes = """
not ours
"""

# where I work
[projects."/home/a b"]
trust_level = "trusted"

[[hooks]]
run = ["a", 'b']
`;

test("a TOML text gets keys at its root and a table at its end, and loses them again", () => {
  const set = there(tomlFormat, toml, provider);
  expect(set).toBe(`# mine
model = "odd \\"model\\""
notes = """
not ours
"""
model_provider = "sluice"

# where I work
[projects."/home/a b"]
trust_level = "trusted"

[[hooks]]
run = ["a", 'b']

[model_providers.sluice]
base_url = "http://127.0.0.1:3000/v1"
token = "sk-one"
`);
  const later = `${set}\n[tui]\ntheme = "dark"\n`;
  const expected = `${toml.replace(" # best", "")}\n[tui]\ntheme = "dark"\n`;
  expect(back(tomlFormat, later, toml, provider)).toBe(expected);
});

test.each([
  ["a = = 1\n"],
  [`[model_providers]\nsluice = { name = "x" }\n`],
  [`text = """\n[model_providers.sluice]\n"""\n`],
])("a TOML text that cannot be changed without harm is refused: %j", (text) => {
  expect(() => there(tomlFormat, text, provider)).toThrow();
});

test("a .env file keeps its other lines", () => {
  const text = `# mine\nexport KEY='old'\nOTHER="a b"`;
  const given = [
    { at: ["KEY"], value: "sk-one" },
    { at: ["ADDRESS"], value: "http://127.0.0.1:3000" },
  ];
  const set = there(envFormat, text, given);
  expect(set).toBe(`# mine\nKEY=sk-one\nOTHER="a b"\nADDRESS=http://127.0.0.1:3000\n`);
  expect(back(envFormat, `${set}NEW=1\n`, text, given)).toBe(
    `# mine\nKEY='old'\nOTHER="a b"\nNEW=1\n`,
  );
});
