// Passwords: slow to hash by design. The runtime hashes on the threads that also sync the journal,
// so only some of them may be busy with it, and only so many callers may wait.
import { availableParallelism } from "node:os";
import { FewAtOnce } from "./few-at-once.ts";

/** With every thread hashing, a sync of the journal waits a hundred milliseconds and more. */
const hashing = new FewAtOnce({
  runningMax: Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2))),
  waitingMax: 64,
});

const settings = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** Hash of a text that was never written down: what is compared with where there is no account. */
export const nobodysHash =
  "$argon2id$v=19$m=19456,t=2,p=1$7GTiI3wSqYiRM6BZ9vX42gr9EuEtlFr4sMuyu41ERDc" +
  "$OMSe61IwxnKYl45G0PJCc7YkH35TG7A27sJCFwXrfL0";

export function hashPassword(password: string): Promise<string> {
  return hashing.run(() => Bun.password.hash(password, settings));
}

export function isPassword(password: string, hash: string): Promise<boolean> {
  return hashing.run(() => verify(password, hash));
}

/** A hash that cannot be read is as wrong as any, and takes as long. */
async function verify(password: string, hash: string): Promise<boolean> {
  try {
    return await Bun.password.verify(password, hash);
  } catch {
    await Bun.password.verify(password, nobodysHash);
    return false;
  }
}

/** One that came from another program, whose hashes are weaker than ours. */
export function isForeignHash(hash: string): boolean {
  return hash !== "" && !hash.startsWith("$argon2id$");
}

/** Takes as long for an account that is not there as for one that is. */
export async function isPasswordOf(
  account: { password_hash: string } | null,
  password: string,
): Promise<boolean> {
  const isRight = await isPassword(password, account?.password_hash || nobodysHash);
  return isRight && account !== null && account.password_hash !== "";
}
