// Second factors as they go over the wire.
/** What signing in answers when the password was right and a second factor is due. */
export interface SecondFactorAsk {
  second_factor: ("totp" | "passkey")[];
  /** For the second half, in the same browser, within five minutes. */
  ticket: string;
}

/** A question for `navigator.credentials`, with the ticket to send the answer with. */
export interface PasskeyAsk {
  ticket: string;
  /** The options as WebAuthn has them in JSON. */
  passkey: object;
}

export interface SecondFactorView {
  /** What signing in asks for; empty: the password alone. */
  second_factor: ("totp" | "passkey")[];
  /** The operator demands one of this account. */
  required: boolean;
  totp: { enabled: boolean; enabled_at: number | null };
  passkeys: { id: string; name: string; created_at: number; last_used_at: number | null }[];
  recovery_codes_left: number;
}

export interface TotpBegun {
  /** In base32, for those who type it. */
  secret: string;
  /** For a picture that the app reads. */
  uri: string;
}

/** Each of them stands in for a lost factor once. Shown this once. */
export interface RecoveryCodes {
  recovery_codes: string[];
}

export interface EnrolledFactor {
  /** With the first factor only. */
  recovery_codes: string[] | null;
}

export interface EnrolledPasskey extends EnrolledFactor {
  id: string;
  name: string;
}
