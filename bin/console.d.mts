/** One file's bytes on the wire, in base64. */
interface PackedFile {
  br: string;
  gzip: string;
}

/** Every file by its name. */
export function buildConsole(): Promise<Record<string, PackedFile>>;
