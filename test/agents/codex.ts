// Codex, which speaks responses, over HTTP and over sockets. What it knows of a model decides how
// it offers its tools: for a name that it does not know as functions, in namespaces among others;
// for the models of one generation also as free text and by a search; for those of the next in the
// input, with one tool that takes programs.
import {
  type Access,
  type Agent,
  almanac,
  type AskedModel,
  executable,
  newWord,
  oldWord,
  type Step,
} from "./agent.ts";

const patch = [
  "*** Begin Patch",
  `*** Update File: ${almanac}`,
  "@@",
  `-${oldWord}`,
  `+${newWord}`,
  "*** End Patch",
].join("\n");
const readFile = `cat ${almanac}`;
const reading: Step = ["exec_command", readFile];
const readingProgram: Step = [
  "exec",
  `text((await tools.exec_command({ cmd: "${readFile}" })).output)`,
];

const models: readonly AskedModel[] = [
  {
    name: "chatA",
    steps: () => [reading, ["exec_command", `sed -i s/${oldWord}/${newWord}/ ${almanac}`], reading],
  },
  {
    name: "gpt-5.5",
    steps: () => [reading, ["apply_patch", JSON.stringify(patch)], reading],
  },
  {
    name: "gpt-6-sol",
    steps: () => [
      readingProgram,
      ["exec", `text(await tools.apply_patch(${JSON.stringify(patch)}))`],
      readingProgram,
    ],
  },
];

export const codex: Agent = codexOver("codex", "HTTP");
export const codexSocket: Agent = codexOver("codex-ws", "WebSocket");

function codexOver(name: string, transport: Agent["transport"]): Agent {
  return {
    name,
    package: "@openai/codex",
    setupName: "codex",
    format: "responses",
    transport,
    route: /^\/v1\/responses$/,
    models,
    hiddenModels: [],
    quiet: {},
    settings: (access) => ({
      files: { ".codex/config.toml": configure(access, transport) },
      environment: { SLUICE_KEY: access.key },
    }),
    command: (prompt) => [
      executable("codex"),
      "exec",
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      // Nothing that looks for news.
      ...["check_for_update_on_startup", "features.plugins", "analytics.enabled"].flatMap((at) => [
        "--config",
        `${at}=false`,
      ]),
      prompt,
    ],
  };
}

function configure({ url, model }: Access, transport: Agent["transport"]): string {
  return `
model = "${model}"
model_provider = "sluice"

[model_providers.sluice]
name = "Sluice"
base_url = "${url}/v1"
env_key = "SLUICE_KEY"
wire_api = "responses"
${transport === "WebSocket" ? "supports_websockets = true\n" : ""}`;
}
