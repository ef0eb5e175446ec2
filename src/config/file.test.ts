import { expect, test } from "bun:test";
import { readConfigFile } from "./file.ts";

const channel = "name: a, type: openai, base_url: https://v.example, key: k, models: [m]";

function read(lines: string | string[], environment: Record<string, string> = {}) {
  return readConfigFile("sluice.yaml", [lines].flat().join("\n"), { environment, page: [] });
}

async function problems(lines: string | string[], environment: Record<string, string> = {}) {
  return (await read(lines, environment)).problems;
}

test("a wrong value is named with its line and column", async () => {
  expect(await problems("server:\n  port: abc\n")).toEqual([
    "sluice.yaml:2:9 server.port must be integer",
  ]);
});

test("each unknown key is named with its line and the nearest name", async () => {
  const found = await problems([
    "server:",
    "  prot: 1",
    "  trustProxy: true",
    "  zebra: 1",
    "chanels: []",
    "channels:",
    `  - { ${channel}, prio: 1, wieght: 2 }`,
  ]);
  expect(found).toEqual([
    "sluice.yaml:2:3 server.prot is not known; did you mean port?",
    "sluice.yaml:3:3 server.trustProxy is not known; did you mean trust_proxy?",
    "sluice.yaml:4:3 server.zebra is not known",
    "sluice.yaml:5:1 chanels is not known; did you mean channels?",
    "sluice.yaml:7:80 channels.0.prio is not known",
    "sluice.yaml:7:89 channels.0.wieght is not known; did you mean weight?",
  ]);
});

test("each missing key is named where its map stands", async () => {
  expect(await problems("channels:\n  - name: a\n    type: openai\n")).toEqual([
    "sluice.yaml:2:5 channels.0.base_url is required",
    "sluice.yaml:2:5 channels.0.models is required",
  ]);
  expect(
    await problems([
      "channels:",
      "  - name: a",
      "    type: openai",
      "    base_url: https://v.example",
      "    models: [m]",
    ]),
  ).toEqual(["sluice.yaml:2:5 channels.0.key is required, or keys"]);
});

test("a key with dots and slashes in its name is found again", async () => {
  const lines = [
    "channels:",
    `  - { ${channel},`,
    "      model_mapping: { m: n, 'vendor/gpt-4.1~x': 7 } }",
  ];
  expect(await problems(lines)).toEqual([
    "sluice.yaml:3:50 channels.0.model_mapping.vendor/gpt-4.1~x must be string",
  ]);
});

test("rules across the fields of a channel hold", async () => {
  const lines = [
    "channels:",
    `  - { ${channel}, keys: [k] }`,
    "  - { name: b, type: openai, key: k, models: [m],",
    "      base_url: http://127.0.0.1:9 }",
    "  - { name: c, type: openai, key: k, models: [m],",
    "      base_url: http://localhost:9, allow_private: true }",
  ];
  expect(await problems(lines)).toEqual([
    "sluice.yaml:2:86 channels.0.keys must not stand beside key",
    "sluice.yaml:4:17 channels.1.base_url 127.0.0.1 is a private address. Add allow_private: true to use it.",
  ]);
});

test("rules across the fields of keys, prices and sections hold", async () => {
  const lines = [
    "keys:",
    "  - { name: a, unlimited: true, quota_micros: 1 }",
    "  - { name: b, unlimited: false }",
    "prices:",
    "  - model: m",
    "  - { model: n, call_micros: 0, rules: [{ size: 1k }, { image_micros: 1 }] }",
    "distribution: { ejection_ms: 400000 }",
  ];
  expect(await problems(lines)).toEqual([
    "sluice.yaml:2:47 keys.0.quota_micros must not stand beside unlimited: true",
    "sluice.yaml:3:5 keys.1.quota_micros is required with unlimited: false",
    "sluice.yaml:5:12 prices.0.model has a price without an amount of its own",
    "sluice.yaml:6:41 prices.1.rules.0 needs one of image_micros, second_micros, call_micros",
    "sluice.yaml:6:55 prices.1.rules.1 needs one of size, quality, resolution, tier",
    "sluice.yaml:7:30 distribution.ejection_ms must be at most ejection_ms_max (300000)",
  ]);
});

test("names that stand twice are refused at the second", async () => {
  const lines = [
    "groups: [{ name: g }, { name: h }, { name: g }]",
    "channels:",
    `  - { ${channel} }`,
    `  - { ${channel} }`,
    "prices:",
    "  - { model: m, call_micros: 1 }",
    "  - { model: m, call_micros: 2 }",
    "keys:",
    "  - { name: k, key: same }",
    "  - { name: k, key: other }",
    "  - { name: l, key: same }",
  ];
  expect(await problems(lines)).toEqual([
    "sluice.yaml:1:44 groups.2.name is the same as groups.0.name",
    "sluice.yaml:4:13 channels.1.name is the same as channels.0.name",
    "sluice.yaml:7:14 prices.1.model is the same as prices.0.model",
    "sluice.yaml:10:13 keys.1.name is the same as keys.0.name",
    "sluice.yaml:11:21 keys.2.key is the same as keys.0.key",
  ]);
});

test("groups that are not declared may be used, for they may live in the database", async () => {
  const lines = [
    "channels:",
    `  - { ${channel}, groups: [vip] }`,
    "keys: [{ name: k, group: gold }]",
  ];
  expect(await problems(lines)).toEqual([]);
});

test("environment variables take the place of their references", async () => {
  const lines = [
    "channels:",
    "  - name: a",
    "    type: openai",
    "    base_url: https://${HOST_NAME}/x",
    "    key: ${VENDOR_KEY}",
    "    models: [m]",
    "    parameters: { set: { note: '$${HOST_NAME} costs $5', deep: [{ x: '${A}${B}' }] } }",
  ];
  const environment = { HOST_NAME: "v.example", VENDOR_KEY: "k-1", A: "1", B: "${A}" };
  const { file, problems: found } = await read(lines, environment);
  expect(found).toEqual([]);
  expect(file.channels[0]).toMatchObject({
    base_url: "https://v.example/x",
    key: "k-1",
    parameters: { set: { note: "${HOST_NAME} costs $5", deep: [{ x: "1${A}" }] } },
  });
});

test("a reference that cannot be followed is named with its line", async () => {
  const lines = [
    "data: ${NOWHERE}",
    "server:",
    "  allowed_hosts: ['${not a name}', '${OPEN', '${EMPTY}']",
  ];
  expect(await problems(lines, { EMPTY: "" })).toEqual([
    "sluice.yaml:1:7 data needs the environment variable NOWHERE, which is not set",
    "sluice.yaml:3:19 server.allowed_hosts.0 has a ${...} that names no environment variable",
    "sluice.yaml:3:36 server.allowed_hosts.1 has a ${ that is not closed; write $${ for the text itself",
    "sluice.yaml:3:46 server.allowed_hosts.2 needs the environment variable EMPTY, which is not set",
  ]);
});

test("text that is not YAML is refused with its line", async () => {
  const cases: [string, string][] = [
    ["data: a\ndata: b\n", "2:1 is not valid YAML: the same key stands twice in one map"],
    ["server:\n\tport: 1\n", "2:1 is not valid YAML: a tab stands in the indentation"],
    ["data: a\n---\ndata: b\n", "2:1 is not valid YAML: the file holds more than one document"],
    ["data: !secret a\n", "1:7 is not valid YAML: tags are not supported"],
    ["data: !!binary YQ==\n", "1:7 is not valid YAML: tags are not supported"],
    ["data: *nowhere\n", "1:7 is not valid YAML: an alias has no anchor before it"],
    ["channels: &x [*x]\n", "1:15 is not valid YAML: an alias has no anchor before it"],
    ["- a\n", "1:1 must be a map of keys"],
    ["just text\n", "1:1 must be a map of keys"],
  ];
  for (const [text, problem] of cases)
    expect(await problems(text)).toEqual([`sluice.yaml:${problem}`]);
});

test("aliases are followed, and a bomb of them is refused", async () => {
  const lines = [
    "groups:",
    "  - &first { name: g, multiplier: x }",
    "channels:",
    `  - { ${channel.replace("models: [m]", "models: &models [m, 3]")} }`,
    `  - { ${channel.replace("name: a", "name: b").replace("models: [m]", "models: *models")} }`,
  ];
  expect(await problems(lines)).toEqual([
    "sluice.yaml:2:35 groups.0.multiplier must be number",
    "sluice.yaml:4:87 channels.0.models.1 must be string",
    "sluice.yaml:4:87 channels.1.models.1 must be string",
  ]);
  const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (const [from, to] of ["ab", "bc", "cd", "de", "ef", "fg", "gh", "hi"]) {
    bomb.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(", ")}]`);
  }
  expect(await problems(bomb)).toEqual([
    "sluice.yaml:1:1 is not valid YAML: it expands too many aliases",
  ]);
});

test("a key called __proto__ is as unknown as any other", async () => {
  expect(await problems("__proto__: { polluted: 1 }\n")).toEqual([
    "sluice.yaml:1:1 __proto__ is not known",
  ]);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});
