// Access tokens as they go over the wire.
import { orNull, text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { momentSchema } from "../contract/basics.ts";

const tokenFields = {
  id: text(),
  name: text(),
  expires_at: orNull(momentSchema),
  /** It reads and changes nothing. */
  read_only: Type.Boolean(),
};

export const AccessTokenView = Type.Object({
  ...tokenFields,
  token: text("The full text, shown this once."),
});
export type AccessTokenView = Static<typeof AccessTokenView>;

/** A token as it is listed: its text was shown once. */
export const ListedAccessToken = Type.Object({ ...tokenFields, created_at: momentSchema });
export type ListedAccessToken = Static<typeof ListedAccessToken>;
