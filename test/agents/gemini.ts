// Gemini CLI, which speaks generateContent. Left to choose, it has a small model judge the prompt
// and then asks for one of its own.
import { almanac, type Agent, executable, promptFor } from "./agent.ts";

const prompt = promptFor("run_shell_command", `cat ${almanac}`);

const settings = {
  security: { auth: { selectedType: "gemini-api-key" } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

export const gemini: Agent = {
  name: "gemini",
  package: "@google/gemini-cli",
  format: "content",
  route: /^\/v1beta\/models\//,
  models: [
    { name: "chatA", prompt },
    { name: "auto", prompt },
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
  setUp: ({ url, key, model }, asked) => ({
    files: { ".gemini/settings.json": JSON.stringify(settings) },
    environment: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url },
    command: [
      executable("gemini"),
      "--model",
      model,
      "--approval-mode",
      "yolo",
      "--skip-trust",
      "--prompt",
      asked,
    ],
  }),
};
