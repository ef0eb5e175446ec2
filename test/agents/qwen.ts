// Qwen Code, which speaks chat.
import { type Agent, executable, readAndReplace } from "./agent.ts";

const steps = readAndReplace(["read_file", "edit"], {
  path: "file_path",
  before: "old_string",
  after: "new_string",
});

export const qwen: Agent = {
  name: "qwen",
  package: "@qwen-code/qwen-code",
  setupName: "qwen-code",
  format: "chat",
  transport: "HTTP",
  route: /^\/v1\/chat\/completions$/,
  models: [{ name: "chatA", steps }],
  hiddenModels: [],
  quiet: { QWEN_TELEMETRY_ENABLED: "false" },
  settings: ({ url, key, model }) => ({
    environment: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: model },
  }),
  command: (prompt) => [executable("qwen"), "--approval-mode", "yolo", prompt],
};
