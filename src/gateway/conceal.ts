// Takes a channel's credentials out of what its vendor says.
import { scrub } from "../core/log.ts";

/** Takes credentials out of a vendor's words. */
export type Conceal = (text: string) => string;

const keyCharactersMin = 8;

/** A key and its parts go by their texts, whatever they look like, unless they may be words. */
export function concealer(key: string): Conceal {
  return (text) => {
    const secrets = [key, ...key.split(/[ :]/)].filter((part) => part.length >= keyCharactersMin);
    return scrub(secrets.reduce((left, one) => left.replaceAll(one, "[secret]"), text));
  };
}
