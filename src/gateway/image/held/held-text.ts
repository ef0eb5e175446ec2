// A long text of a reply, in the file that it lies in.

export interface HeldText {
  path: string;
  bytes: number;
  /** True when it has no letter that no base64 has. */
  isBase64: boolean;
}
