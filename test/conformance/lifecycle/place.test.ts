// Gateway that a command belongs to: that of the repository, of another folder, or elsewhere.
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json";
import { runCommand } from "../../harness/command.ts";
import { Folder } from "../../harness/folder.ts";
import { rootToken, startGateway, startProcess } from "../../harness/gateway.ts";

setDefaultTimeout(120_000);

const repository = join(import.meta.dir, "..", "..", "..");
const launcher = join(repository, "bin", "sluice.mjs");

async function launch(cwd: string, ...words: string[]) {
  const child = Bun.spawn(["node", launcher, ...words], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out] = await Promise.all([child.exited, child.stdout.text()]);
  return { code, out };
}

test("N17 a command called from anywhere means the repository's data folder, and says its version", async () => {
  using folder = new Folder();
  const printed = await launch(folder.path, "config", "print");
  expect(JSON.parse(printed.out)).toMatchObject({ data: join(repository, "data") });
  const said = await launch(folder.path, "--version");
  expect(said.out).toMatch(new RegExp(`^sluice ${version}(?: \\([0-9a-f]{12}\\))?\\n$`));
  expect(readdirSync(folder.path)).toEqual([]);
});

test("N17 a command finds the gateway of the program's folder, of --data or of SLUICE_DATA", async () => {
  using home = new Folder();
  using elsewhere = new Folder();
  const data = join(home.path, "data");
  await using gateway = await startProcess({ folder: data });
  await gateway.control("POST", "/api/token", { name: "of-the-gateway" });
  const cwd = elsewhere.path;
  const ways: [Record<string, string>, string[]][] = [
    [{ SLUICE_HOME: home.path }, []],
    [{ SLUICE_DATA: data }, []],
    [{ SLUICE_DATA: cwd }, ["--data", data]],
  ];
  for (const [environment, words] of ways) {
    const listed = await runCommand({ folder: "", cwd, environment }, "key", "list", ...words);
    expect(listed).toMatchObject({ code: 0, error: "" });
    expect(listed.out).toContain("of-the-gateway");
  }
  const environment = { SLUICE_DATABASE_URL: "" };
  const lost = await runCommand({ folder: "", environment, cwd }, "key", "list");
  expect(lost).toMatchObject({ code: 1, out: "" });
  expect(lost.error).toContain("say where the gateway is with --data or SLUICE_DATA");
  expect(existsSync(join(cwd, "data"))).toBe(false);
  expect(readdirSync(cwd)).toEqual([]);
});

test("N17 a gateway elsewhere is reached by --url and a token, which is told in no list of processes", async () => {
  using nothing = new Folder();
  await using gateway = await startGateway();
  await gateway.control("POST", "/api/token", { name: "far-away" });
  const { path: folder } = nothing;
  const byVariables = { SLUICE_URL: gateway.url, SLUICE_TOKEN: rootToken };
  const words = ["key", "list", "--url", gateway.url];
  const runs = [
    await runCommand({ folder, environment: byVariables }, "key", "list"),
    await runCommand({ folder, environment: { SLUICE_TOKEN: rootToken } }, ...words),
    await runCommand({ folder, input: `${rootToken}\n` }, ...words, "--token", "-"),
  ];
  for (const { code, out, error } of runs) {
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toContain("far-away");
  }
  const wrong = await runCommand(
    { folder, input: "sat-wrong-wrong-wrong" },
    ...words,
    "--token",
    "-",
  );
  expect(wrong.code).toBe(1);
  const unreachable = ["key", "list", "--url", "http://127.0.0.1:9"];
  const gone = await runCommand({ folder, environment: byVariables }, ...unreachable);
  expect(gone.error).toStartWith("the gateway at http://127.0.0.1:9 cannot be reached");
  const help = await runCommand({ folder }, "key", "list", "--help");
  expect(help.out.replace(/\s+/g, " ")).toContain(
    "Lists of processes show it: rather SLUICE_TOKEN",
  );
  expect(readdirSync(folder)).toEqual([]);
});
