// Names of one model: with the date of its version, with its vendor in front, by an alias.
import type { Prices } from "../../quota/prices.ts";

/** Words behind a name that say which version of a model it is, and not which model. */
const versionWords =
  /(?:[-@:._](?:\d{2,}|v\d+|latest|preview|exp|experimental|beta|stable|free|online|nitro))+$/;
const aliasWord = /[-:@]latest$/;

/** Without what stands before the last slash or the vendor's dot, and without its version. */
function plainName(name: string): string {
  const own = name
    .toLowerCase()
    .replace(/^.*\//, "")
    .replace(/^(?:[a-z]{2,6}\.)?[a-z]+\.(?=[a-z])/, "");
  return own.replace(versionWords, "");
}

/** The name under which a model has a price of its own; null where it has none. */
export function listedModel(prices: Prices, name: string): string | null {
  const own = name.replace(/^.*\//, "");
  return [name, own, plainName(name)].find((one) => prices.isTextListed(one)) ?? null;
}

/**
 * Whether a reply that names a model came from the one that was sent. An alias stands for whatever
 * its vendor says, and so does a name that nothing is known of: one of the operator's own, or of a
 * vendor that chooses for itself.
 */
export function isSameModel(prices: Prices, answered: string, names: readonly string[]): boolean {
  const [sent = answered] = names;
  const known = listedModel(prices, sent);
  if (known === null || aliasWord.test(sent) || answered === "") return true;
  const plain = plainName(answered);
  const other = listedModel(prices, answered);
  if (other === known) return true;
  return names.some((name) => {
    const own = plainName(name);
    // A longer name that nothing is known of is one more name of the same model.
    return plain === own || (other === null && plain.startsWith(own));
  });
}
