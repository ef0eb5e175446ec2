// manxue: the one model.

export const models: ReadonlyMap<string, string> = new Map([["manxue-2.0", "manxue-2.0"]]);
