// Gemini CLI, which speaks generateContent. Left to choose, it has a small model judge the prompt
// and then asks for one of its own.
import { type Agent, executable, readAndReplace } from "./agent.ts";

const steps = readAndReplace(["read_file", "replace"], {
  path: "file_path",
  before: "old_string",
  after: "new_string",
  more: { instruction: "Rename" },
});

const settings = { security: { auth: { selectedType: "gemini-api-key" } } };

export const gemini: Agent = {
  name: "gemini",
  package: "@google/gemini-cli",
  setupName: "gemini-cli",
  format: "content",
  transport: "HTTP",
  route: /^\/v1beta\/models\//,
  models: [
    { name: "chatA", steps },
    { name: "auto", steps },
  ],
  hiddenModels: [
    "gemini-3.8-flash",
    "gemini-3.1-pro-preview",
    "gemini-3-flash-preview",
    "gemini-3.5-flash-lite",
    "gemini-2.5-pro",
    "gemini-2.5-flash",
    "gemini-2.5-flash-lite",
  ],
  quiet: { GEMINI_TELEMETRY_ENABLED: "false" },
  settings: ({ url, key, model }) => ({
    files: { ".gemini/settings.json": JSON.stringify(settings) },
    environment: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url },
    words: ["--model", model],
  }),
  command: (prompt) => [
    executable("gemini"),
    "--approval-mode",
    "yolo",
    "--skip-trust",
    "--prompt",
    prompt,
  ],
};
