import { expect, test } from "bun:test";
import { loadConfig } from "../config/load.ts";
import { redact } from "./config.ts";

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

test("no secret of any field is printed, and everything else is", () => {
  const config = loadConfig({
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
    root: { password: null, key: "[secret]", token: "[secret]" },
    declared: {
      channels: [
        { name: "main", keys: ["[secret]", "[secret]"], headers: { "X-Secret": "[secret]" } },
        { name: "other", key: "[secret]", models: ["m"] },
      ],
      keys: [{ name: "ci", key: "[secret]" }],
    },
    oauth: { providers: [{ name: "github", clientId: "c", clientSecret: "[secret]" }] },
    configPath: "sluice.yaml",
  });
});
