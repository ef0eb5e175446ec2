// Names of a model: its family's, and its vendor's. A request by a vendor's name is answered,
// logged and billed by that name; a family's other names are those of the models that they stand
// for.

export interface ModelNames {
  /** The names that are not a model's own, with the models that each may stand for. */
  standsFor: ReadonlyMap<string, readonly string[]>;
  /** True of those that are a vendor's. */
  isVendors(name: string): boolean;
  /** The family's own other names that lists of models show too. */
  aliases?: ReadonlySet<string>;
}

/** A job, as far as its model's names go. */
export interface Named {
  /** The family's name of the model, as it was resolved. */
  model: string;
  /** The client's name for it; absent where that is the family's name. */
  asked?: string;
}

export function askedAs<Job extends Named>(job: Job, name: string): Job {
  return name === job.model ? job : { ...job, asked: name };
}

/** The client's own first: what is said of it goes before what is said of the model behind it. */
export function namesOf({ model, asked: askedName }: Named): readonly string[] {
  return askedName === undefined ? [model] : [askedName, model];
}
