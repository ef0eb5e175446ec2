// The model list. Any other name is served as well; these are only what is shown.
import { Refusal } from "./errors.ts";

const models = [
  { id: "sandbox-large", name: "Sandbox Large" },
  { id: "sandbox-small", name: "Sandbox Small" },
].map(({ id, name }) => ({
  type: "model",
  id,
  display_name: name,
  created_at: "2026-01-01T00:00:00Z",
  lifecycle: "active",
  line: "sandbox",
  max_input_tokens: 200_000,
  max_tokens: 64_000,
  capabilities: null,
  deprecated_at: null,
  retires_at: null,
}));

export function listModels(): object {
  const ids = models.map(({ id }) => id);
  return { data: models, has_more: false, first_id: ids[0], last_id: ids.at(-1) };
}

export function getModel(id: string): object {
  const model = models.find((known) => known.id === id);
  if (!model) throw new Refusal(404, `model: ${id}`);
  return model;
}
