// Model names of a key's own: what each stands for is known before anything else looks at the
// model, so that whoever may name models for a key gains nothing that the key may not have.
import { ModelPatterns } from "./model-patterns.ts";

export class OwnNames {
  readonly #models: ModelPatterns<string>;

  constructor(mapping: Readonly<Record<string, string>>) {
    this.#models = new ModelPatterns(Object.entries(mapping));
  }

  /** The public name, which is the name itself where it is none of the key's own. */
  resolve(name: string): string {
    return this.#models.find(name) ?? name;
  }
}
