// Codex, which speaks responses. What it knows of a model decides how it offers its tools: for a
// name that it does not know as functions, in namespaces among others; for the models of one
// generation also as free text and by a search; for those of the next in the input, with one tool
// that takes programs.
import { almanac, type Agent, executable, promptFor } from "./agent.ts";

const readFile = `cat ${almanac}`;
const program = `text((await tools.exec_command({ cmd: "${readFile}" })).output)`;

export const codex: Agent = {
  name: "codex",
  package: "@openai/codex",
  format: "responses",
  route: /^\/v1\/responses$/,
  models: [
    { name: "chatA", prompt: promptFor("exec_command", readFile) },
    { name: "gpt-5.5", prompt: promptFor("exec_command", readFile) },
    { name: "gpt-6-sol", prompt: promptFor("exec", program) },
  ],
  hiddenModels: [],
  setUp: ({ url, key, model }, prompt) => ({
    files: { ".codex/config.toml": configure(url, model) },
    environment: { SLUICE_KEY: key },
    command: [
      executable("codex"),
      "exec",
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      prompt,
    ],
  }),
};

/** Nothing in it looks for news: no updates, no plugins, no analytics. */
function configure(url: string, model: string): string {
  return `
model = "${model}"
model_provider = "sluice"
check_for_update_on_startup = false

[features]
plugins = false

[analytics]
enabled = false

[model_providers.sluice]
name = "Sluice"
base_url = "${url}/v1"
env_key = "SLUICE_KEY"
wire_api = "responses"
`;
}
