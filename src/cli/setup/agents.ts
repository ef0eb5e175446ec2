// Agents by name: the files of theirs that say where models are, and our values in them.
import { resolve } from "node:path";
import type { Environment } from "../../config/environment.ts";
import type { SettingPart } from "./parts.ts";

/** An agent's address of the gateway, and the model it asks for. */
export interface Access {
  /** Without a slash at its end. */
  url: string;
  key: string;
  model: string | null;
}

export interface AgentFile {
  /** In the agent's folder. Of several names, the first that is there; else the last. */
  names: readonly string[];
  parts: readonly SettingPart[];
  holdsKey: boolean;
}

export interface FileAgent {
  title: string;
  /** Command that starts it. */
  program: string;
  needsModel: boolean;
  /** In the home; `variable` names a folder in which `below` is it. */
  folder: { path: string; variable: string | null; below: string };
  files(access: Access): AgentFile[];
}

const claudeCode: FileAgent = {
  title: "Claude Code",
  program: "claude",
  needsModel: false,
  folder: { path: ".claude", variable: "CLAUDE_CONFIG_DIR", below: "" },
  files: ({ url, key, model }) => {
    const variables = {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: key,
      ...(model !== null && { ANTHROPIC_MODEL: model, ANTHROPIC_DEFAULT_HAIKU_MODEL: model }),
    };
    const parts = Object.entries(variables).map(([name, value]) => ({ at: ["env", name], value }));
    return [{ names: ["settings.json"], parts, holdsKey: true }];
  },
};

const codex: FileAgent = {
  title: "Codex",
  program: "codex",
  needsModel: false,
  folder: { path: ".codex", variable: "CODEX_HOME", below: "" },
  files: ({ url, key, model }) => {
    const provider = {
      name: "Sluice",
      base_url: `${url}/v1`,
      wire_api: "responses",
      experimental_bearer_token: key,
    };
    const parts = [
      { at: ["model_provider"], value: "sluice" },
      ...partIf(["model"], model),
      ...Object.entries(provider).map(([name, value]) => ({
        at: ["model_providers", "sluice", name],
        value,
      })),
    ];
    return [{ names: ["config.toml"], parts, holdsKey: true }];
  },
};

const geminiCli: FileAgent = {
  title: "Gemini CLI",
  program: "gemini",
  needsModel: false,
  folder: { path: ".gemini", variable: "GEMINI_CLI_HOME", below: ".gemini" },
  files: ({ url, key, model }) => [
    settingsOf("gemini-api-key", model),
    variablesOf({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key }),
  ],
};

const qwenCode: FileAgent = {
  title: "Qwen Code",
  program: "qwen",
  needsModel: true,
  folder: { path: ".qwen", variable: null, below: "" },
  files: ({ url, key, model }) => [
    settingsOf("openai", model),
    variablesOf({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: model ?? "" }),
  ],
};

const opencode: FileAgent = {
  title: "opencode",
  program: "opencode",
  needsModel: true,
  folder: { path: ".config/opencode", variable: "XDG_CONFIG_HOME", below: "opencode" },
  files: ({ url, key, model }) => {
    const name = model ?? "";
    const inProvider = (at: readonly string[], value: string) => ({
      at: ["provider", "sluice", ...at],
      value,
    });
    const parts = [
      inProvider(["npm"], "@ai-sdk/openai-compatible"),
      inProvider(["name"], "Sluice"),
      inProvider(["options", "baseURL"], `${url}/v1`),
      inProvider(["options", "apiKey"], key),
      inProvider(["models", name, "name"], name),
      { at: ["model"], value: `sluice/${name}` },
    ];
    // The first one is read last, and counts where both are there.
    return [{ names: ["opencode.jsonc", "opencode.json"], parts, holdsKey: true }];
  },
};

export const fileAgents: Readonly<Record<string, FileAgent>> = {
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  opencode,
  "qwen-code": qwenCode,
};

/** Agent without a file that is safe to write: its keys are in a store of the editor's. */
export const cline = "cline";

/** A folder that was named is the home, whatever the variables of this one say. */
export function folderOf(
  { folder: { path, variable, below } }: FileAgent,
  { home, environment }: { home: string | undefined; environment: Environment },
): string {
  const named = variable === null ? undefined : environment[variable];
  if (home === undefined && named) return resolve(named, below);
  const own = home ?? environment["HOME"];
  if (!own) throw new Error("no home folder is known: name it with --home");
  return resolve(own, path);
}

function settingsOf(signIn: string, model: string | null): AgentFile {
  const parts = [
    { at: ["security", "auth", "selectedType"], value: signIn },
    ...partIf(["model", "name"], model),
  ];
  return { names: ["settings.json"], parts, holdsKey: false };
}

function variablesOf(variables: Readonly<Record<string, string>>): AgentFile {
  const parts = Object.entries(variables).map(([name, value]) => ({ at: [name], value }));
  return { names: [".env"], parts, holdsKey: true };
}

function partIf(at: readonly string[], value: string | null): SettingPart[] {
  return value === null ? [] : [{ at, value }];
}
