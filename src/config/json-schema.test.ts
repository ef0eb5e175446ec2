// The schema for editors and the page for people, both held against what the loader takes.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { isObject, type JsonObject } from "../core/json.ts";
import { configJsonSchema } from "./json-schema.ts";
import { loadConfig } from "./load.ts";
import { variables } from "./variables.ts";

const refresh =
  "sluice.schema.json is stale; refresh it with: " +
  "npm run --silent sluice -- config schema > sluice.schema.json && npm run format";

const page = readAtRoot("docs/configure.md");
function readAtRoot(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

interface Key {
  name: string;
  schema: JsonObject;
}

/** Every key of the file, sections and lists before what is in them. */
function keysOf(schema: JsonObject, prefix = ""): Key[] {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  return Object.entries(properties).flatMap(([word, property]): Key[] => {
    if (!isObject(property)) return [];
    const name = `${prefix}${word}`;
    const { items } = property;
    const inList = isObject(items) ? keysOf(items, `${name}[].`) : [];
    return [{ name, schema: property }, ...keysOf(property, `${name}.`), ...inList];
  });
}

const keys = keysOf(configJsonSchema());

test("the committed JSON Schema is the generated one", async () => {
  // Compared as JSON, for the formatter lays the committed file out in its own way.
  expect(JSON.parse(readAtRoot("sluice.schema.json")), refresh).toEqual(configJsonSchema());
});

test("every key has a description and every map of named keys is closed", async () => {
  expect(keys.length).toBeGreaterThan(80);
  for (const { name, schema } of keys) {
    expect([name, typeof schema["description"]]).toEqual([name, "string"]);
    for (const map of [schema, schema["items"]]) {
      if (!isObject(map) || !isObject(map["properties"])) continue;
      expect([name, map["additionalProperties"]]).toEqual([name, false]);
    }
  }
});

test("an editor asks for no key that has a default, and for the others", async () => {
  expect(configJsonSchema()["required"]).toBeUndefined();
  const find = (name: string) => keys.find((key) => key.name === name)?.schema;
  expect(find("server")?.["required"]).toBeUndefined();
  expect(find("channels")?.["items"]).toMatchObject({
    required: ["name", "type", "base_url", "models"],
  });
});

test("the page names the files that variables may be given as", async () => {
  for (const { name } of variables.filter(({ isFileable }) => isFileable))
    expect(page).toContain(`\`${name}_FILE\``);
});

test("the page's full example loads", async () => {
  const [, example = ""] = /```yaml\n(# yaml-language-server[^]*?)```/.exec(page) ?? [];
  const config = await loadConfig({
    environment: {
      SLUICE_CONFIG: "sluice.yaml",
      OPENAI_API_KEY: "sk-one",
      OPENAI_API_KEY_2: "sk-two",
      PEER_KEY: "sk-peer",
      CI_KEY: "sk-ci",
    },
    readFile: (path) => (path === "sluice.yaml" ? example : null),
  });
  const { groups, channels, prices, keys: declaredKeys } = config.declared;
  expect([groups, channels, prices, declaredKeys].map((list) => list.length)).toEqual([2, 2, 2, 2]);
  expect(channels[0]?.keys).toEqual(["sk-one", "sk-two"]);
});
