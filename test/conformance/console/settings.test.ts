// Settings that are in force, and many prices at once.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newPerson } from "../../harness/accounts/usage.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";

interface Setting {
  name: string;
  value: unknown;
  default: unknown;
  source: string;
  live: boolean;
  pending: unknown;
  description: string;
}

interface Batch {
  applied: boolean;
  changes: { model: string; kind: string; before: object | null; after: object | null }[];
}

const secret = "sk-canary-0123456789abcdef";
const lines = [
  "timeouts: { first_byte_ms: 4321 }",
  `channels: [ { name: main, type: openai, base_url: "https://api.vendor.test", key: ${secret}, models: [m] } ]`,
];

const gateway = useStand(() => startGateway({ config: lines.join("\n") }));

function writeConfig(...all: string[]): void {
  writeFileSync(join(gateway.folder, "sluice.yaml"), all.join("\n"));
}

async function settings(): Promise<Map<string, Setting>> {
  const { items } = await gateway.control<{ items: Setting[] }>("GET", "/api/setting");
  return new Map(items.map((item) => [item.name, item]));
}

describe("settings", () => {
  test("say what is in force, from where, and what it would be otherwise", async () => {
    const all = await settings();
    expect(all.get("timeouts.first_byte_ms")).toMatchObject({ value: 4321, source: "file" });
    expect(all.get("server.port")).toMatchObject({
      value: 0,
      default: 3000,
      source: "environment",
      variable: "PORT",
      live: false,
    });
    expect(all.get("unpriced")).toMatchObject({ value: "refuse", source: "default" });
    expect([...all.values()].filter(({ description }) => description === "")).toEqual([]);
  });

  test("show no secret, be it of the file or of the environment", async () => {
    const all = await settings();
    const text = JSON.stringify([...all.values()]);
    expect(text).not.toContain(secret);
    expect(text).not.toContain("root password for tests");
    expect(text).not.toContain("sat-test-root-token");
    expect(all.get("SLUICE_ROOT_PASSWORD")).toMatchObject({ value: "[secret]" });
    const { token } = await newPerson(gateway, 0);
    const refused = await gateway.controlEnvelope("GET", "/api/setting", undefined, token);
    expect(refused).toMatchObject({ success: false, code: "permission_denied" });
  });

  test("are read anew: what is declared changes, the rest is pending, a bad file is refused", async () => {
    writeConfig("timeouts: { first_byte_ms: 9999 }", lines[1] ?? "", "groups: [ { name: gold } ]");
    // Each node reads the file for itself.
    for (const _ of gateway.nodeUrls) await gateway.control("POST", "/api/setting/reload");
    const groups = await gateway.control<{ items: object[] }>("GET", "/api/group");
    expect(groups.items).toContainEqual(expect.objectContaining({ name: "gold", declared: true }));
    expect((await settings()).get("timeouts.first_byte_ms")).toMatchObject({
      value: 4321,
      pending: 9999,
    });
    writeConfig("timeouts: { first_byte_ms: many }");
    const refused = await gateway.controlEnvelope("POST", "/api/setting/reload");
    expect(refused).toMatchObject({ success: false, code: "invalid_request" });
    expect(refused.message).toContain("timeouts.first_byte_ms");
    const kept = await gateway.control<{ items: object[] }>("GET", "/api/group");
    expect(kept.items).toContainEqual(expect.objectContaining({ name: "gold" }));
  });
});

describe("prices", () => {
  const price = (model: string, micros: number) => ({
    model,
    input_micros_per_million: micros,
    output_micros_per_million: micros,
  });

  test("are compared without a change, then set and removed in one commit", async () => {
    await gateway.control("POST", "/api/price", price("kept", 5));
    await gateway.control("POST", "/api/price", price("gone", 6));
    const batch = {
      prices: [price("kept", 5), price("new-one", 7), price("other", 8)],
      remove: ["gone"],
    };
    const dry = await gateway.control<Batch>("POST", "/api/price/batch", {
      ...batch,
      dry_run: true,
    });
    expect(dry.applied).toBe(false);
    expect(dry.changes.map(({ model, kind }) => [model, kind])).toEqual([
      ["kept", "same"],
      ["new-one", "new"],
      ["other", "new"],
      ["gone", "removed"],
    ]);
    const own = async () => {
      const path = "/api/price?page_size=100";
      const { items } = await gateway.control<{ items: { model: string; source: string }[] }>(
        "GET",
        path,
      );
      return items.filter(({ source }) => source === "own").map(({ model }) => model);
    };
    expect(await own()).toEqual(["gone", "kept"]);
    expect(await gateway.control<Batch>("POST", "/api/price/batch", batch)).toEqual({
      applied: true,
      changes: dry.changes,
    });
    expect(await own()).toEqual(["kept", "new-one", "other"]);
    const audit = await gateway.control<{ total: number }>(
      "GET",
      "/api/audit?action=price.write&target_id=other",
    );
    expect(audit.total).toBe(1);
  });

  test("of which one is wrong change nothing, and the wrong one is named", async () => {
    const prices = [price("fine", 1), { model: "wrong", input_micros_per_million: -1 }];
    const refused = await gateway.controlEnvelope("POST", "/api/price/batch", { prices });
    expect(refused).toMatchObject({ success: false, code: "invalid_request" });
    expect(JSON.stringify(refused)).toContain("prices.1");
    const twice = { prices: [price("fine", 1), price("fine", 2)] };
    expect(await gateway.controlEnvelope("POST", "/api/price/batch", twice)).toMatchObject({
      success: false,
      param: "prices",
    });
    const audit = await gateway.control<{ total: number }>("GET", "/api/audit?target_id=fine");
    expect(audit.total).toBe(0);
  });
});
