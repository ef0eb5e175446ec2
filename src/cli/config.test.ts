import { expect, test } from "bun:test";
import { loadConfigFile } from "../config/load.ts";
import { redact } from "../config/redact.ts";

const file = `
channels:
  - name: main
    type: openai
    base_url: https://api.vendor.test
    keys: [canary-1, canary-2]
    models: [m]
    headers: { X-Secret: canary-3 }
  - name: other
    type: openai
    base_url: https://api.vendor.test
    key: canary-4
    models: [m]
keys:
  - name: ci
    key: canary-5
media:
  storage: s3
  s3:
    endpoint: https://s3.vendor.test
    bucket: b
    access_key_id: id
    secret_access_key: canary-8
oauth:
  providers:
    - { name: github, type: github, client_id: c, client_secret: canary-9 }
`;

test("no secret of any field is printed, and everything else is", async () => {
  const config = await loadConfigFile({
    environment: {
      SLUICE_CONFIG: "sluice.yaml",
      SLUICE_ROOT_KEY: "canary-6",
      SLUICE_ROOT_TOKEN: "canary-7",
    },
    readFile: (path) => (path === "sluice.yaml" ? file : null),
  });
  const shown = redact(config);
  expect(JSON.stringify(shown)).not.toContain("canary");
  expect(shown).toMatchObject({
    channels: [
      { name: "main", keys: ["[secret]", "[secret]"], headers: { "X-Secret": "[secret]" } },
      { name: "other", key: "[secret]", models: ["m"] },
    ],
    keys: [{ name: "ci", key: "[secret]" }],
    media: { s3: { access_key_id: "id", secret_access_key: "[secret]" } },
    oauth: { providers: [{ name: "github", client_id: "c", client_secret: "[secret]" }] },
  });
});

test("what is printed is a file, with the defaults and what variables say", async () => {
  const source = { environment: { PORT: "4321" }, readFile: () => null };
  const text = JSON.stringify(redact(await loadConfigFile(source)));
  const again = await loadConfigFile({
    environment: { SLUICE_CONFIG: "printed.yaml" },
    readFile: (path) => (path === "printed.yaml" ? text : null),
  });
  expect(again).toEqual(await loadConfigFile(source));
  expect(again).toMatchObject({ server: { port: 4321, body_ms: 300_000 } });
});
