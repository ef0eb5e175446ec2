// The most that the media of a request can be for a model. What a part calls itself proves nothing:
// small is only what its bytes prove to be so, whole; all else may be as long as the model reads.
import { proveFile } from "./places/prove-file.ts";
import { typeByName } from "./media.ts";

/** The hold for the media, as `TextRequest` has it. */
interface MediaHold {
  mediaParts: number;
  mediaBytes: number;
  readsMore: boolean;
  hasOpenAddress?: true;
}

interface DataFacts {
  /** It stands in a place that takes pictures alone. */
  isPicture?: boolean;
  /** The media type that stands beside it. */
  declared?: string;
}

/** No longer than heads are: what stands there is taken off with the picture. */
const dataUrl = /^data:([^;,]{0,100})((?:;[^;,]{0,100}){0,4}),/i;

/** A type with these in it becomes data itself where it is put in front of what it declares. */
const opensData = /[:,]/;

export class MediaBound {
  #parts = 0;
  #pictureBytes = 0;
  #readsMore = false;
  #hasOpenAddress = false;

  get hold(): MediaHold {
    const hold: MediaHold = {
      mediaParts: this.#parts,
      mediaBytes: this.#pictureBytes,
      readsMore: this.#readsMore,
    };
    if (this.#hasOpenAddress) hold.hasOpenAddress = true;
    return hold;
  }

  /** Data in the body, as base64 or as a data URL. */
  data(text: string, { isPicture = false, declared = "" }: DataFacts): void {
    if (opensData.test(declared)) return this.elsewhere();
    const head = dataUrl.exec(text);
    if (!head) {
      if (/^\s*data/i.test(text)) this.elsewhere();
      else if (this.#isPicture(text, declared, isPicture)) this.#pictureBytes += text.length;
      return;
    }
    const [prefix, type = "", options = ""] = head;
    const rest = text.slice(prefix.length);
    if (!/;base64$/i.test(options)) this.#escaped(rest);
    else if (this.#isPicture(rest, type === "" ? declared : type, isPicture)) {
      this.#pictureBytes += text.length;
    }
  }

  /** An address in a place that takes pictures alone; one that is called a film is none. */
  address(url: string): void {
    const type = typeByName(url);
    if (type !== null && !type.startsWith("image/")) return this.elsewhere();
    this.#parts++;
    this.#hasOpenAddress ||= type === null;
  }

  /** Content that is elsewhere or unknown may be as long as the model reads. */
  elsewhere(): void {
    this.#parts++;
    this.#readsMore = true;
  }

  /**
   * Counts a file; true where it is paid for as a picture. Text, sound, and a picture that may be
   * read as text are no more tokens than they have bytes, which are the body's.
   */
  #isPicture(base64: string, type: string, isInPictures: boolean): boolean {
    const bytes = /^video\//i.test(type) ? null : decodeBase64(base64);
    const kind = bytes && proveFile(bytes);
    if (kind) this.#parts++;
    else this.elsewhere();
    return kind === "picture" && (isInPictures || /^image\//i.test(type));
  }

  /** A data URL that spells its bytes out. */
  #escaped(text: string): void {
    const bytes = Buffer.from(unescaped(text));
    // A second mark may stand where one reader looks for it and another does not.
    if (proveFile(bytes) === "text" && !/;base64,/i.test(text)) this.#parts++;
    else this.elsewhere();
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "\0";
  }
}

/** Null where readers may differ in what it says. */
function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  if (isWhole(text, bytes)) return bytes;
  const plain = text.replace(/\s/g, "");
  const again = Buffer.from(plain, "base64");
  return isWhole(plain, again) ? again : null;
}

function isWhole({ length }: string, bytes: Buffer): boolean {
  const most = Math.floor((length * 3) / 4);
  return bytes.length <= most && bytes.length >= most - 2;
}
