// omni-fast: the models, and whether each works on a video that the client gives.

interface Model {
  model: string;
  isEdit: boolean;
}

export const models: ReadonlyMap<string, Model> = new Map(
  [
    { model: "omni-fast", isEdit: false },
    { model: "omni-fast-v2v", isEdit: true },
  ].map((model) => [model.model, model]),
);
