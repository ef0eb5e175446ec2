// Next steps that the program prints or shows are followed as their reader would follow them: the
// list of those places, and each of them.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { browserMsMax, type Page } from "../harness/chromium.ts";
import { oddModel, openCustomers, slashModel, type Customers } from "../harness/e2e/customers.ts";
import { Reader, type Followed, type Tongue } from "../harness/e2e/followed.ts";
import { rootToken, startGateway } from "../harness/gateway.ts";
import { programWords } from "../harness/nodes/program.ts";
import { Vendor } from "../harness/vendor.ts";
import { shellWord } from "../../src/core/shell-word.ts";

setDefaultTimeout(300_000);

const root = join(import.meta.dir, "../..");
const here = "test/e2e/next-steps.test.ts";
const door = "test/e2e/console/door.test.ts";
const addresses = "test/e2e/console/walks/addresses.test.ts";

/** Places where a next step is written, and the test that follows it; or why it is none. */
const places: Readonly<Record<string, string>> = {
  "src/cli/greeting.ts": here,
  "src/admin/session/link.ts": door,
  "src/admin/session/contract.ts": "names the form of a link, in the reference",
  "src/cli/channel/vendors.ts": here,
  "src/cli/config.ts": here,
  "src/cli/price-sync.ts": here,
  "src/cli/import/plan.ts": "names a command, for which the model is named beside it",
  "src/cli/gateway-place.ts": here,
  "src/cli/migrate/command.ts": "test/cluster/migrate.test.ts",
  "src/admin/import-run/contract.ts": "names a command, in the reference",
  "src/app/secret/desk.ts": "test/conformance/lifecycle/secret.test.ts",
  "src/app/import/create.ts": "names a command, for which an operator has the source at hand",
  "src/admin/backup/contract.ts": "names a command, in the reference",
  "src/app/backup/database.ts": "test/cluster/migrate.test.ts",
  "src/app/backup/desk.ts": "test/conformance/lifecycle/backups.test.ts",
  "src/app/backup/kept.ts": "says what no archive is, shows none",
  "src/cli/backup/restore.ts": "names a command, in its own help",
  "src/cli/records/settings.ts": "test/conformance/settings/commands.test.ts",
  "src/cli/setup/command.ts": here,
  "src/cli/completion.ts": "test/conformance/lifecycle/commands.test.ts",
  "src/http/reference/page/first-call.ts": here,
  "src/http/reference/page/operation.ts": "test/e2e/reference.test.ts",
  "src/http/reference/page/opening.ts": here,
  "src/admin/ledger/contract.ts": "names a command, in the reference",
  "src/core/seal.ts": "a word that a key is derived with",
  "src/media/links.ts": "a word that a key is derived with",
  "src/notices/find-window-limits.ts": "test/deploy/budget-windows.test.ts",
  "src/store/move/relocation.ts": "test/cluster/migrate.test.ts",
  "src/store/sqlite/lock.ts": "says who has the folder",
  "web/core/curl.ts": here,
  "web/core/place.ts": "compares addresses, shows none",
  "web/kit/code.tsx": addresses,
  "web/kit/snippets.tsx": here,
  "web/pages/keys/edit.tsx": here,
  "web/pages/models/one.tsx": here,
  "web/pages/start/agents.tsx": "test/e2e/console/start.test.ts",
  "web/pages/start/call.tsx": here,
  "web/pages/start/key.tsx": here,
  "web/pages/playground/code.ts": here,
  "web/pages/playground/presets.tsx": "test/e2e/console/conversations.test.ts",
  "web/pages/playground/run-media.ts": "takes an address apart, shows none",
  "web/pages/overview/own.tsx": here,
  "web/pages/media/results.tsx": "test/e2e/console/media.test.ts",
  "web/pages/codes/invitations.tsx": door,
  "web/pages/organisation/invitations.tsx": "test/e2e/console/mail.test.ts",
};

const signs = {
  src: /#link=|\bcurl [$h-]|["`'][^"`'\n]*\bsluice [a-z]+[ `"]/,
  web: /location\.origin|<Snippets|\bcurl\(|#link=/,
};

test("every place that shows a next step is known, with the test that follows it", () => {
  const found = (["src", "web"] as const).flatMap((folder) =>
    [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync({ cwd: root })].filter((path) => {
      if (path.includes(".test.")) return false;
      const text = readFileSync(join(root, path), "utf8");
      const said = text
        .replace(/^\s*(?:\/\/|\/?\*).*$/gm, "")
        .replace(/^\s+examples: \[[^\]]*\],?$/gm, "");
      return signs[folder].test(said);
    }),
  );
  expect(found.toSorted()).toEqual(Object.keys(places).toSorted());
});

describe("what the console shows", () => {
  let customers: Customers;
  let reader: Reader;

  beforeAll(async () => {
    customers = await openCustomers();
    const environment = { SLUICE_KEY: customers.keys.ann.key, SLUICE_TOKEN: rootToken };
    reader = new Reader(environment);
  }, browserMsMax);

  afterAll(async () => {
    reader?.[Symbol.dispose]();
    await customers?.[Symbol.asyncDispose]();
  });

  /** It ran, had an answer, and did nothing that its words only look like. */
  async function follow(tongue: Tongue, code: string): Promise<Followed> {
    const followed = await reader.follow(tongue, code);
    expect([code, reader.made]).toEqual([code, []]);
    if (followed.code !== 0) throw new Error(`${code}\n${followed.out}\n${followed.error}`);
    return followed;
  }

  const clients: readonly [tab: string, tongue: Tongue][] = [
    ["curl", "shell"],
    ["Python", "python"],
    ["JavaScript", "node"],
    ["Anthropic", "python"],
    ["AI SDK", "node"],
  ];

  test.each(["chatA", slashModel, oddModel])(
    "beside the model %s works in every client",
    async (model) => {
      const path = `/console/models/${encodeURIComponent(model)}`;
      await using opened = await customers.house.open({ path });
      const { page } = opened;
      for (const [tab, tongue] of clients) {
        const { out } = await follow(tongue, await codeAt(page, tab));
        expect([tab, out]).toEqual([tab, expect.stringContaining("hello")]);
      }
      // In this wire the model stands in the path, where only plain names are taken.
      const google = await codeAt(page, "Gemini");
      if (model === "chatA") expect((await follow("python", google)).out).toContain("hello");
      else await follow("python", `compile(${JSON.stringify(google)}, "code", "exec")`);
    },
  );

  test.each(["chatA", oddModel])(
    "beside the model %s calls programs with it as one word",
    async (model) => {
      const path = `/console/models/${encodeURIComponent(model)}`;
      await using opened = await customers.house.open({ path });
      const { page } = opened;
      const { url } = customers.house.gateway;
      const { key } = customers.keys.ann;
      const told = async (tab: string) =>
        (await follow("shell", await codeAt(page, tab))).out.split("\0").slice(1, -1);
      expect(await told("Claude Code")).toEqual(["--model", model, url, key, "", "", key]);
      expect(await told("Gemini CLI")).toEqual(["--model", model, "", "", url, key, key]);
      const [, , , said = "", , provider = ""] = await told("Codex");
      expect(Bun.TOML.parse(said)).toEqual({ model });
      expect(Bun.TOML.parse(provider)).toMatchObject({
        model_providers: { sluice: { base_url: `${url}/v1`, env_key: "SLUICE_KEY" } },
      });
    },
  );

  test("beside a new key works with that key", async () => {
    await using opened = await customers.house.open({ as: "ann", path: "/console/keys?new=1" });
    const { page } = opened;
    const form = page.getByRole("dialog");
    await form.getByLabel("Name").fill("fresh");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "curl", exact: true }).waitFor();
    for (const [tab, tongue] of clients) {
      const code = (await codeAt(page, tab)).replaceAll(/\bMODEL\b/g, "chatA");
      expect(code).toContain("sk-");
      expect((await follow(tongue, code)).out).toContain("hello");
    }
  });

  test("in the playground works in every format and client", async () => {
    await using opened = await customers.house.open({
      as: "ann",
      path: "/console/playground?view=code&model=chatA",
    });
    const { page } = opened;
    await page.getByLabel("Format").waitFor();
    const formats = await page.getByLabel("Format").locator("option").allTextContents();
    expect(formats.length).toBeGreaterThan(3);
    for (const format of formats) {
      await page.getByLabel("Format").selectOption({ label: format });
      for (const [tab, tongue] of clients.filter(([name]) => name !== "Anthropic")) {
        const { out } = await follow(tongue, await codeAt(page, tab));
        expect([format, tab, out]).toEqual([format, tab, expect.stringContaining("hello")]);
      }
    }
  });

  test("in the first steps works", async () => {
    await using opened = await customers.house.open({ path: "/console/start?step=call" });
    const { page } = opened;
    await page.getByLabel("Model").selectOption(slashModel);
    const code = await page.locator("main pre").first().textContent();
    expect((await follow("shell", code ?? "")).out).toContain("hello");
  });

  test("as the gateway's address on a member's start answers", async () => {
    await using opened = await customers.house.open({ as: "ann", path: "/" });
    const base = await opened.page.locator("main pre").first().textContent();
    const line = `curl ${base}/models -H "authorization: Bearer $SLUICE_KEY"`;
    expect((await follow("shell", line)).out).toContain("chatA");
  });

  test("in the reference as a first call answers", async () => {
    await using opened = await customers.house.open({ path: "/console/account" });
    await opened.page.goto("/docs");
    const all = await opened.page.locator("pre").allTextContents();
    const find = (start: string) => all.find((text) => text.startsWith(start)) ?? "";
    const first = [
      ["shell", find("curl ")],
      ["python", find("import os")],
      ["node", find("import OpenAI")],
    ] as const;
    for (const [tongue, code] of first) {
      expect((await follow(tongue, code)).out).toMatch(/\w/);
    }
  });
});

async function codeAt(page: Page, tab: string): Promise<string> {
  await page.getByRole("tab", { name: tab, exact: true }).click();
  await page.getByRole("tab", { name: tab, exact: true, selected: true }).waitFor();
  return (await page.getByRole("tabpanel").locator("pre").textContent()) ?? "";
}

describe("what a first start prints", () => {
  test("as a call to try has an answer", async () => {
    const environment = { SLUICE_ROOT_PASSWORD: "", SLUICE_ROOT_KEY: "" };
    await using gateway = await startGateway({ environment, config: "sandbox: on\n" });
    const call = /^ {2}curl [^]*?'$/m.exec(gateway.output)?.[0] ?? "";
    using reader = new Reader({});
    const { code, out } = await reader.follow("shell", call);
    expect([code, out]).toEqual([0, expect.stringContaining('"choices"')]);
  });
});

describe("what the command line prints", () => {
  /** A shell of an operator beside the gateway, with the command on its path. */
  const sluice = `sluice() { ${programWords().map(shellWord).join(" ")} "$@"; }\n`;

  test("about whose settings are shown, and about channels that are missing, is what helps", async () => {
    await using gateway = await startGateway();
    using vendor = new Vendor((_request, reply) => reply.json({ data: [] }));
    using reader = new Reader({ SLUICE_DATA: gateway.folder, NODE_ENV: "production" });
    const printed = await reader.follow("shell", `${sluice}sluice config print`);
    const settings = /is shown by: (.*)/.exec(printed.error)?.[1] ?? "";
    const shown = await reader.follow("shell", sluice + settings);
    expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('"server.port"')]);
    const synced = await reader.follow("shell", `${sluice}sluice price sync`);
    const add = /serves anything yet: (.*)/.exec(synced.out)?.[1] ?? "";
    const words = `odd --url ${vendor.url} --allow-private --key none --models m`;
    const added = await reader.follow("shell", `${sluice}${add} ${words}`);
    expect([add, added.code]).toEqual(["sluice channel add", 0]);
  });

  test("about a price that is missing, and a token that is, is what helps", async () => {
    await using gateway = await startGateway();
    using vendor = new Vendor((_request, reply) => reply.json({ data: [] }));
    using reader = new Reader({ SLUICE_DATA: gateway.folder, NODE_ENV: "production" });
    const add = `sluice channel add odd --url ${vendor.url} --allow-private --key none`;
    const added = await reader.follow("shell", `${sluice}${add} --models ${shellWord(oddModel)}`);
    const step = /set one with: (.*)/.exec(added.out + added.error)?.[1] ?? "";
    const priced = await reader.follow("shell", sluice + step);
    expect([step, priced.code, reader.made]).toEqual([step, 0, []]);
    const prices = await gateway.control<{ items: { model: string }[] }>(
      "GET",
      "/api/price?source=own",
    );
    expect(prices.items.map(({ model }) => model)).toEqual([oddModel]);
    const far = `${sluice}unset SLUICE_DATA; sluice key list --url ${gateway.url}`;
    const refused = await reader.follow("shell", far);
    expect(refused.error).toContain('"sluice user token root"');
    const made = await reader.follow("shell", `${sluice}sluice user token root`);
    const [token = ""] = /^sat-\S+/m.exec(made.out) ?? [];
    const listed = await reader.follow("shell", `export SLUICE_TOKEN=${token}\n${far}`);
    expect([listed.error, listed.code]).toEqual(["", 0]);
  });

  test("about an agent that is set up is what makes its key, starts it and undoes it", async () => {
    await using gateway = await startGateway();
    using reader = new Reader({ SLUICE_DATA: gateway.folder, NODE_ENV: "production" });
    const setUp = "sluice setup codex --model chatA";
    const refused = await reader.follow("shell", sluice + setUp);
    const [, create = ""] = /"(sluice key create [^"]+)"/.exec(refused.error) ?? [];
    const made = await reader.follow("shell", sluice + create);
    const [key = ""] = /\bsk-\S+/.exec(made.out) ?? [];
    const set = await reader.follow("shell", `export SLUICE_KEY=${key}\n${sluice}${setUp}`);
    const [, path = ""] = /^Wrote (.*)$/m.exec(set.out) ?? [];
    const settings = Bun.TOML.parse(readFileSync(path, "utf8"));
    expect(settings).toMatchObject({
      model_provider: "sluice",
      model_providers: {
        sluice: { base_url: `${gateway.url}/v1`, experimental_bearer_token: key },
      },
    });
    const start = /^Start it with: (.*)$/m.exec(set.out)?.[1] ?? "";
    expect((await reader.follow("shell", start)).out).toContain("codex");
    const undo = /^Undo it with: (.*)$/m.exec(set.out)?.[1] ?? "";
    const undone = await reader.follow("shell", sluice + undo);
    expect([undone.code, existsSync(path)]).toEqual([0, false]);
  });
});
