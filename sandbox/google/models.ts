// The model list. Any other name is served as well; these are only what is shown.
import { invalid, Refusal } from "./errors.ts";

const textMethods = ["generateContent", "countTokens"];
const described = [
  { id: "gemini-3-sandbox", methods: textMethods, thinking: true },
  { id: "gemini-2.5-sandbox", methods: textMethods, thinking: true },
  { id: "gemini-embedding-sandbox", methods: ["embedContent"], thinking: false },
];

const models = described.map(({ id, methods, thinking }) => ({
  name: `models/${id}`,
  baseModelId: id,
  version: "001",
  displayName: id,
  description: "A model of the sandbox.",
  inputTokenLimit: 1_048_576,
  outputTokenLimit: 65_536,
  supportedGenerationMethods: methods,
  ...(thinking ? { temperature: 1, topP: 0.95, topK: 64, maxTemperature: 2, thinking } : {}),
}));

const defaultPageSize = 50;

export function listModels(query: URLSearchParams): object {
  const size = Number(query.get("pageSize") ?? defaultPageSize);
  const from = Number(query.get("pageToken") ?? 0);
  if (!Number.isInteger(size) || size < 1 || !Number.isInteger(from)) {
    throw invalid("The page size or the page token is not valid.");
  }
  const next = from + size < models.length ? { nextPageToken: String(from + size) } : {};
  return { models: models.slice(from, from + size), ...next };
}

export function getModel(id: string): object {
  const model = models.find(({ baseModelId }) => baseModelId === id);
  if (!model) throw new Refusal(404, `models/${id} is not found for API version v1beta.`);
  return model;
}
