// opencode, which speaks chat by the package for compatible vendors.
import { join } from "node:path";
import { type Agent, packages, readAndReplace } from "./agent.ts";

const steps = readAndReplace(["read", "edit"], {
  path: "filePath",
  before: "oldString",
  after: "newString",
});
/** The program of this platform; the one in `.bin` is put there by an install script. */
const program = join(packages, `opencode-${process.platform}-${process.arch}`, "bin", "opencode");

export const opencode: Agent = {
  name: "opencode",
  package: "opencode-ai",
  setupName: "opencode",
  format: "chat",
  transport: "HTTP",
  route: /^\/v1\/chat\/completions$/,
  models: [{ name: "chatA", steps }],
  hiddenModels: [],
  quiet: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
  settings: ({ url, key, model }) => ({
    files: {
      ".config/opencode/opencode.json": JSON.stringify({
        provider: {
          sluice: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${url}/v1`, apiKey: "{env:KEY}" },
            models: { [model]: {} },
          },
        },
      }),
    },
    environment: { KEY: key },
    words: ["--model", `sluice/${model}`],
  }),
  // A word with a space in it is put in quotes, and those of its own are escaped.
  command: (prompt) => [program, "run", ...prompt.split(" ")],
};
