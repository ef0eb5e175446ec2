import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { asyncProperty, assert, dictionary, jsonValue, string } from "fast-check";
import { createProgram } from "../program.ts";

interface Home extends Disposable {
  path: string;
  put(name: string, text: string, mode?: number): void;
  read(name: string): string;
  modeOf(name: string): number;
  /** All files, by name, with their texts and modes. */
  all(): Record<string, [text: string, mode: number]>;
  run(
    words: string,
    options?: RunOptions,
  ): Promise<{ out: string; error: string; failed: boolean }>;
}

interface RunOptions {
  input?: string;
  environment?: Record<string, string>;
}

const key = "sk-canary-0123456789";
const place = "--url https://gateway.example.com --model chatA";

function openHome(): Home {
  const path = mkdtempSync(join(tmpdir(), "sluice-setup-"));
  const modeOf = (name: string) => statSync(join(path, name)).mode & 0o777;
  const read = (name: string) => readFileSync(join(path, name), "utf8");
  return {
    path,
    read,
    modeOf,
    put(name, text, mode = 0o644) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
      chmodSync(join(path, name), mode);
    },
    all() {
      const names = readdirSync(path, { recursive: true, encoding: "utf8" });
      const files = names.filter((name) => statSync(join(path, name)).isFile()).toSorted();
      return Object.fromEntries(files.map((name) => [name, [read(name), modeOf(name)]]));
    },
    async run(words, { input = "", environment = { SLUICE_KEY: key } } = {}) {
      const said = { out: "", error: "", failed: false };
      const program = createProgram(
        { serve: async () => {}, withServer: async () => {} },
        {
          environment: { HOME: path, SLUICE_DATA: join(path, "data"), ...environment },
          readFile: () => null,
          readInput: async () => input,
          write: (text) => void (said.out += text),
          writeError: (text) => void (said.error += text),
          fail: () => void (said.failed = true),
        },
      );
      for (const command of [program, ...program.commands]) command.exitOverride();
      await program.parseAsync(["setup", ...words.split(" ")], { from: "user" });
      return said;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Files of each agent that a user has already, and a later change of the user's. */
const agents = [
  [
    "claude-code",
    {
      ".claude/settings.json": `{\n\t"theme": "dark",\n\t"env": { "A": "1", "ANTHROPIC_MODEL": "mine" }\n}\n`,
    },
    [".claude/settings.json", `"theme": "dark"`, `"theme": "light", "more": [1]`],
  ],
  [
    "codex",
    { ".codex/config.toml": `# mine\nmodel = "gpt-5"\n\n[tui]\ntheme = "dark"\n` },
    [".codex/config.toml", `theme = "dark"`, `theme = "light"`],
  ],
  [
    "gemini-cli",
    { ".gemini/settings.json": `{"ui": {"theme": "dark"}}`, ".gemini/.env": "A=1\n" },
    [".gemini/.env", "A=1", "A=2"],
  ],
  [
    "opencode",
    {
      ".config/opencode/opencode.json": `{\n  // mine\n  "theme": "dark", "provider": {"own": {}},\n}\n`,
    },
    [".config/opencode/opencode.json", `"dark"`, `"light"`],
  ],
  [
    "qwen-code",
    { ".qwen/settings.json": `{"ui": {"theme": "dark"}}\n`, ".qwen/.env": "OPENAI_API_KEY=old" },
    [".qwen/settings.json", `"dark"`, `"light"`],
  ],
] as const;

test.each(agents)(
  "%s is set up beside what is there, and undone to the byte",
  async (name, files) => {
    using home = openHome();
    for (const [file, text] of Object.entries(files)) home.put(file, text);
    const before = home.all();
    const { out, error, failed } = await home.run(`${name} ${place}`);
    expect([failed, error]).toEqual([false, ""]);
    for (const file of Object.keys(files)) {
      expect(out).toContain(`Wrote ${join(home.path, file)}\n`);
      if (home.read(file).includes(key)) expect([file, home.modeOf(file)]).toEqual([file, 0o600]);
    }
    const after = home.all();
    const holders = Object.values(after).filter(([text]) => text.includes(key));
    expect(holders.length).toBe(1);
    expect(JSON.stringify(after)).toContain("https://gateway.example.com");
    expect((await home.run(`${name} ${place}`)).out).toContain("nothing was changed");
    expect(home.all()).toEqual(after);
    await home.run(`${name} ${place}`, { environment: { SLUICE_KEY: "sk-another" } });
    expect(JSON.stringify(home.all())).not.toContain(key);
    await home.run(`${name} --undo`);
    expect(home.all()).toEqual(before);
  },
);

test.each(agents)(
  "%s is undone around what the user changed since",
  async (name, files, change) => {
    using home = openHome();
    for (const [file, text] of Object.entries(files)) home.put(file, text);
    await home.run(`${name} ${place}`);
    const [file, from, to] = change;
    home.put(file, home.read(file).replace(from, to), 0o600);
    const changed = home.all();
    expect((await home.run(`${name} ${place}`)).out).toContain("nothing was changed");
    expect(home.all()).toEqual(changed);
    expect((await home.run(`${name} --undo`)).error).toBe("");
    const texts = Object.values(home.all()).map(([text]) => text);
    expect(texts.toSorted()).toEqual(
      Object.entries(files)
        .map(([one, text]) => (one === file ? text.replace(from, to) : text))
        .toSorted(),
    );
  },
);

test.each(agents)("%s is not undone where the user changed what was set", async (name) => {
  using home = openHome();
  await home.run(`${name} ${place}`);
  for (const [file, [text, mode]] of Object.entries(home.all())) {
    if (file.endsWith("sluice-setup.json")) continue;
    home.put(file, text.replace("gateway.example.com", "other.example.com"), mode);
  }
  const changed = home.all();
  const { error, failed } = await home.run(`${name} --undo`);
  expect([failed, error]).toEqual([true, expect.stringContaining("was changed since")]);
  expect((await home.run(`${name} ${place} --home ${home.path}`)).failed).toBe(true);
  expect(home.all()).toEqual(changed);
});

test.each(agents)("%s is set up where nothing is, and leaves nothing behind", async (name) => {
  using home = openHome();
  const { out } = await home.run(`${name} ${place} --home ${home.path}/other`);
  expect(out).toContain(`Undo it with: sluice setup ${name} --undo --home ${home.path}/other\n`);
  for (const [, mode] of Object.values(home.all())) expect(mode).toBe(0o600);
  await home.run(`${name} --undo --home ${home.path}/other`);
  expect(home.all()).toEqual({});
  const again = await home.run(`${name} --undo`);
  expect([again.failed, again.error]).toEqual([true, expect.stringContaining("nothing to undo")]);
});

test.each(agents)("%s: what would be written is shown without the key", async (name) => {
  using home = openHome();
  const { out, failed } = await home.run(`${name} ${place} --print`);
  expect([failed, home.all()]).toEqual([false, {}]);
  expect(out).toContain("<key>");
  expect(out).toContain("https://gateway.example.com");
  expect(out).not.toContain(key);
});

test("files that cannot be read as settings are refused and stay as they are", async () => {
  for (const [name, files] of agents) {
    using home = openHome();
    for (const file of Object.keys(files))
      home.put(file, file.endsWith(".env") ? "A=1" : '{"a" = [');
    const before = home.all();
    const { error, failed } = await home.run(`${name} ${place}`);
    expect([name, failed, error]).toEqual([
      name,
      true,
      expect.stringMatching(/it is not (?:JSON|TOML); nothing was changed/),
    ]);
    expect(home.all()).toEqual(before);
  }
});

test("setup then undo gives the same bytes for any JSON object", async () => {
  using home = openHome();
  await assert(
    asyncProperty(dictionary(string(), jsonValue()), async (object) => {
      if ("env" in object) return;
      const text = JSON.stringify(object);
      home.put(".claude/settings.json", text, 0o640);
      expect((await home.run(`claude-code ${place}`)).error).toBe("");
      expect(JSON.parse(home.read(".claude/settings.json"))).toMatchObject({
        ...JSON.parse(text),
        env: { ANTHROPIC_AUTH_TOKEN: key },
      });
      await home.run("claude-code --undo");
      expect(home.all()).toEqual({ ".claude/settings.json": [text, 0o640] });
    }),
    { numRuns: 50 },
  );
});

test.each(agents)("%s: a setup that was cut short is undone all the same", async (name, files) => {
  using home = openHome();
  for (const [file, text] of Object.entries(files)) home.put(file, text);
  const before = home.all();
  await home.run(`${name} ${place}`);
  const first = home.all();
  await home.run(`${name} ${place}`, { environment: { SLUICE_KEY: "sk-another" } });
  // Its record was written, its files were not.
  for (const [file, [text, mode]] of Object.entries(first)) {
    if (file in files) home.put(file, text, mode);
  }
  expect((await home.run(`${name} --undo`)).error).toBe("");
  expect(home.all()).toEqual(before);
});

test("a stricter mode and a link are kept", async () => {
  using home = openHome();
  home.put("dotfiles/settings.json", "{}", 0o400);
  mkdirSync(join(home.path, ".claude"));
  symlinkSync("../dotfiles/settings.json", join(home.path, ".claude/settings.json"));
  await home.run(`claude-code ${place}`);
  expect(lstatSync(join(home.path, ".claude/settings.json")).isSymbolicLink()).toBe(true);
  expect([
    home.read("dotfiles/settings.json").includes(key),
    home.modeOf("dotfiles/settings.json"),
  ]).toEqual([true, 0o400]);
  await home.run("claude-code --undo");
  expect(home.read("dotfiles/settings.json")).toBe("{}");
});

test("a folder that the agent's own variable names is used, and the file that it reads last", async () => {
  using home = openHome();
  const environment = { SLUICE_KEY: key, XDG_CONFIG_HOME: join(home.path, "xdg") };
  home.put("xdg/opencode/opencode.jsonc", "{ /* mine */ }\n");
  await home.run(`opencode ${place}`, { environment });
  expect(home.read("xdg/opencode/opencode.jsonc")).toContain(key);
  expect(existsSync(join(home.path, ".config"))).toBe(false);
});

test("a key comes from the standard input, and one of the command line is warned of", async () => {
  using home = openHome();
  const quiet = await home.run(`codex ${place} --key -`, { input: "sk-piped\n", environment: {} });
  expect([quiet.error, home.read(".codex/config.toml").includes('"sk-piped"')]).toEqual(["", true]);
  const loud = await home.run(`codex ${place} --key sk-shown`, { environment: {} });
  expect(loud.error).toContain("lists of processes");
  expect(loud.out + loud.error).not.toContain("sk-shown");
});

test("a variable of the shell that goes before the file is named, without its value", async () => {
  using home = openHome();
  const environment = { SLUICE_KEY: key, GEMINI_API_KEY: "canary-google" };
  const { error } = await home.run(`gemini-cli ${place}`, { environment });
  expect(error).toBe("GEMINI_API_KEY is set in this shell, and goes before the file: unset it.\n");
});

test.each([
  ["codex --url https://gateway.example.com", {}, /API key is needed/],
  ["codex --url https://gateway.example.com/v1", { SLUICE_KEY: key }, /without a version/],
  ["codex --url nowhere", { SLUICE_KEY: key }, /--url must be an address/],
  ["codex", { SLUICE_KEY: key }, /none runs on this data folder/],
  ["codex --url https://gateway.example.com", { SLUICE_KEY: "two words" }, /SLUICE_KEY must be/],
  ["codex --url https://gateway.example.com", { SLUICE_KEY: "a'b" }, /must be an API key/],
  ["opencode --url https://gateway.example.com", { SLUICE_KEY: key }, /say which with --model/],
  ["cline --url https://gateway.example.com", {}, /say which with --model/],
  ["cline --undo", {}, /nothing of Cline's was written/],
] as const)(
  "%s with %j is refused, and nothing is written",
  async (words, environment, message) => {
    using home = openHome();
    const { error, failed } = await home.run(words, { environment });
    expect([failed, error]).toEqual([true, expect.stringMatching(message)]);
    expect(home.all()).toEqual({});
  },
);

test("Cline is told what to enter, and nothing is written", async () => {
  using home = openHome();
  const { out, failed } = await home.run(`cline ${place}`);
  expect([failed, home.all()]).toEqual([false, {}]);
  expect(out).toContain("nothing was written");
  expect(out).toContain("Base URL: https://gateway.example.com/v1\n");
  expect(out).not.toContain(key);
});

test("an agent that is not known is answered with those that are", async () => {
  using home = openHome();
  const names = "claude-code, codex, gemini-cli, opencode, qwen-code, cline";
  expect(home.run("emacs")).rejects.toThrow(names);
});
