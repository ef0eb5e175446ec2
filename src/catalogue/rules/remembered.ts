// Rules are found by patterns in a model's name, which takes 3 us a request: so what was found is
// kept by the name.
const namesMax = 1000;

export function remembered<Rules>(find: (model: string) => Rules): (model: string) => Rules {
  const known = new Map<string, { rules: Rules }>();
  return (model) => {
    const kept = known.get(model);
    if (kept) return kept.rules;
    const rules = find(model);
    // Clients may ask for any name, so that old ones go.
    if (known.size >= namesMax) known.clear();
    known.set(model, { rules });
    return rules;
  };
}
