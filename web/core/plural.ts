// Forms of a text by a count, as its language has them: one, other, in some few or many.

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** `plural(count, { one: "1 key", other: `${count} keys` })`; the count may be written already. */
type Plural = (count: number | string, forms: Forms) => string;

export function pluralsOf(locale: string): Plural {
  const rules = new Intl.PluralRules(locale);
  return (count, forms) => forms[rules.select(numberOf(count))] ?? forms.other;
}

export const plural = /* @__PURE__ */ pluralsOf("en");

/** Not a number where it is shortened, such as 1.06K: that is many. */
function numberOf(count: number | string): number {
  if (typeof count === "number") return count;
  return /^\d{1,3}(?:\D?\d{3})*$|^\d+$/.test(count) ? Number(count.replace(/\D/g, "")) : NaN;
}
