// Encryption at rest for vendor credentials: AES-256-GCM, bound to the row it belongs to.
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import type { Random } from "./random.ts";

const prefix = "v1.";
const nonceBytes = 12;
const tagBytes = 16;
const algorithm = "aes-256-gcm";
const cipherOptions = { authTagLength: tagBytes };

export interface Seal {
  /** `context` names the owner; a sealed text moved to another row does not open. */
  close(plain: string, context: string): string;
  open(sealed: string, context: string): string;
}

/** A seal whose secret is being exchanged: it closes with one, and opens what either has closed. */
export interface TwofoldSeal extends Seal {
  /** Whether there is a second secret. */
  readonly isTwofold: boolean;
  /**
   * Closed anew with the first secret; null where it is already. Throws where neither opens it.
   */
  renew(sealed: string, context: string): string | null;
  /** Closes with another secret from here on; the one before still opens. */
  turnTo(secret: string): void;
}

export function createTwofoldSeal(
  secret: string,
  second: string | null,
  random: Random,
): TwofoldSeal {
  let first = createSeal(secret, random);
  let other = second === null || second === secret ? null : createSeal(second, random);
  const openByOther = (sealed: string, context: string, error: unknown) => {
    if (other === null) throw error;
    return other.open(sealed, context);
  };
  return {
    get isTwofold() {
      return other !== null;
    },
    close: (plain, context) => first.close(plain, context),
    open(sealed, context) {
      try {
        return first.open(sealed, context);
      } catch (error) {
        return openByOther(sealed, context, error);
      }
    },
    renew(sealed, context) {
      try {
        first.open(sealed, context);
        return null;
      } catch (error) {
        return first.close(openByOther(sealed, context, error), context);
      }
    },
    turnTo(next) {
      other = first;
      first = createSeal(next, random);
    },
  };
}

export function createSeal(secret: string, random: Random): Seal {
  const key = createHash("sha256").update(`sluice upstream keys\n${secret}`).digest();
  return {
    close(plain, context) {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce, cipherOptions);
      cipher.setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      const bytes = Buffer.concat([nonce, cipher.getAuthTag(), text]);
      return `${prefix}${bytes.toString("base64url")}`;
    },
    open(sealed, context) {
      if (!sealed.startsWith(prefix)) throw new Error("sealed by an unknown version");
      const bytes = Buffer.from(sealed.slice(prefix.length), "base64url");
      const nonce = bytes.subarray(0, nonceBytes);
      const decipher = createDecipheriv(algorithm, key, nonce, cipherOptions);
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const text = bytes.subarray(nonceBytes + tagBytes);
      return decipher.update(text, undefined, "utf8") + decipher.final("utf8");
    },
  };
}
