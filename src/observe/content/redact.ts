// Takes out of a text what must not be kept: credentials, e-mail addresses, card numbers, and what
// an operator's own patterns match. By shape alone, so it is a help and no promise.
import { scrub } from "../../core/log.ts";

export type Redactor = (text: string) => string;

type RedactedKind = "secrets" | "emails" | "cards";

/** Every repetition is bounded, so that no text makes the search slow. */
const secretShapes: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{1,40}PRIVATE KEY-----[^-]{0,16384}(?:-----END [A-Z ]{1,40}PRIVATE KEY-----)?/g,
  /\beyJ[\w-]{8,4096}\.[\w-]{8,8192}\.[\w-]{8,2048}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(?:gh[pousr]|xox[abprs]|glpat)[_-][\w-]{10,255}/g,
  /\b(?:sk|pk|rk)_(?:live|test)_\w{8,255}/g,
];
const emailShape = /[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi;
const cardShape = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;

export function createRedactor(
  kinds: readonly RedactedKind[],
  patterns: readonly string[],
): Redactor {
  const own = patterns.map((pattern) => new RegExp(pattern, "g"));
  return (text) => {
    let left = text;
    if (kinds.includes("secrets")) {
      left = secretShapes.reduce((rest, shape) => rest.replace(shape, "[secret]"), left);
      left = scrub(left);
    }
    if (kinds.includes("emails")) left = left.replace(emailShape, "[email]");
    if (kinds.includes("cards")) {
      left = left.replace(cardShape, (digits) => (isCard(digits) ? "[card]" : digits));
    }
    return own.reduce((rest, pattern) => rest.replace(pattern, "[redacted]"), left);
  };
}

/** Test the check digit (Luhn), so that other long numbers stay. */
function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
