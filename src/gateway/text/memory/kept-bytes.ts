// A reply as it is remembered, with what it answers.

/** JSON as bytes, which unlike objects take as much memory as they are long. */
export interface KeptBytes {
  /** Null when the two are too much together. */
  request: Uint8Array | null;
  reply: Uint8Array;
}
