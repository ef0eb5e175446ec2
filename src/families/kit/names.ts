// The names of a family's models that are not the family's own.
import type { ModelNames } from "../model-names.ts";

/** `modelsOf` says which models of the family a name may stand for. */
export function modelNames<Model>(
  models: ReadonlyMap<string, Model>,
  vendorName: RegExp,
  modelsOf: (model: Model) => readonly string[],
): ModelNames {
  const standsFor = new Map<string, readonly string[]>();
  for (const [name, model] of models) {
    const behind = modelsOf(model).filter((known) => known !== name);
    if (behind.length > 0) standsFor.set(name, behind);
  }
  return { standsFor, isVendors: (name) => standsFor.has(name) && vendorName.test(name) };
}

export function ofModel({ model }: { model: string }): string[] {
  return [model];
}
