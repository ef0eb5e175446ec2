// The keys that may name an answer: those of the account that asked for it, but of a member of an
// organisation the member's alone, and those that see what everyone there does.
import type { AccountId } from "../core/ids.ts";

/** The part of a caller that decides which answers it may name. */
export interface Asker {
  accountId: AccountId;
  /** The person in its organisation that made its key; null for the account itself. */
  makerId: AccountId | null;
  /** That person sees nothing of what others there do. */
  isOfMember?: true;
}

/** The person that an answer is made for, or the account itself. */
export function askerIdOf({ accountId, makerId }: Asker): AccountId {
  return makerId ?? accountId;
}

/** `askerId` is null of what an earlier version has made for nobody knows whom. */
export function mayName({ makerId, isOfMember }: Asker, askerId: AccountId | null): boolean {
  return !isOfMember || (makerId !== null && askerId === makerId);
}
