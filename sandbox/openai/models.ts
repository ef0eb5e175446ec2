// The model list. Any other name is served as well; these are only what is shown.
import { Refusal } from "./errors.ts";

const createdSeconds = 1_767_225_600;

const models = ["sandbox-large", "sandbox-small"].map((id) => ({
  id,
  object: "model",
  created: createdSeconds,
  owned_by: "sandbox",
}));

export function listModels(): object {
  return { object: "list", data: models };
}

export function getModel(id: string): object {
  const model = models.find((known) => known.id === id);
  if (!model) throw new Refusal(404, { message: `The model '${id}' does not exist.` });
  return model;
}
