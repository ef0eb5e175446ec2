// Encryption at rest for vendor credentials: AES-256-GCM, bound to the row it belongs to.
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import type { Random } from "./random.ts";

const version = "v1";
const nonceBytes = 12;
const tagBytes = 16;

export interface Seal {
  /** `context` names the owner; a sealed text moved to another row does not open. */
  close(plain: string, context: string): string;
  open(sealed: string, context: string): string;
}

export function createSeal(secret: string, random: Random): Seal {
  const key = createHash("sha256").update(`sluice upstream keys\n${secret}`).digest();
  return {
    close(plain, context) {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      cipher.setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url")}`;
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.slice(version.length + 1), "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes));
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const text = bytes.subarray(nonceBytes + tagBytes);
      return decipher.update(text, undefined, "utf8") + decipher.final("utf8");
    },
  };
}
