// The most that the media of a request can be for a model, told by what their bytes are and never
// by what the part calls itself: vendors look at the bytes too.
import { isObject, type Json } from "../../core/json.ts";

/** What is held for the media, as `TextRequest` has it. */
interface MediaHold {
  mediaParts: number;
  mediaBytes: number;
  readsMore: boolean;
}

/** Of a request of plain text, as most are. */
export const noMedia: MediaHold = { mediaParts: 0, mediaBytes: 0, readsMore: false };

export class MediaBound {
  #parts = 0;
  #pictureBytes = 0;
  #readsMore = false;

  get hold(): MediaHold {
    return {
      mediaParts: this.#parts,
      mediaBytes: this.#pictureBytes,
      readsMore: this.#readsMore,
    };
  }

  /** Data in the body, as base64 or as a data URL. */
  inline(data: string): void {
    this.#parts++;
    const head = data.startsWith("data:") ? data.indexOf(",") + 1 : 0;
    switch (kindOfBytes(data.slice(head, head + headCharacters))) {
      case "picture":
        this.#pictureBytes += data.length;
        break;
      case "plain":
        // Text and sound are no more tokens than they have bytes, which are the body's.
        break;
      case "packed":
        this.#readsMore = true;
    }
  }

  /** An address in a place that takes pictures alone, or data there. */
  picture(url: string): void {
    if (url.startsWith("data:")) this.inline(url);
    else this.#parts++;
  }

  /** What is elsewhere may be as long as the model reads. */
  elsewhere(): void {
    this.#parts++;
    this.#readsMore = true;
  }

  /** A part of a kind that is not known here: what it has or names may be anything. */
  unknown(part: Json | undefined): void {
    if (typeof part === "string") {
      if (part.startsWith("data:")) this.inline(part);
      else if (/^\w+:\/\//.test(part)) this.elsewhere();
    } else if (isObject(part) || Array.isArray(part)) {
      for (const value of Object.values(part)) this.unknown(value);
    }
  }
}

type Kind = "picture" | "plain" | "packed";

/** As far as readers of PDF look for its mark: a file may be one thing in front and that behind. */
const headBytes = 1024;
const headCharacters = Math.ceil(headBytes / 3) * 4;

const pictures = /^(?:\x89PNG\r\n|\xff\xd8\xff|GIF8|RIFF[^]{4}WEBP|[^]{4}ftyp(?:hei|mif|avi))/;
const sounds = /^(?:RIFF[^]{4}WAVE|ID3|\xff[\xe0-\xff]|OggS|fLaC|FORM|#!AMR|[^]{4}ftypM4[AB])/;
// oxlint-disable-next-line no-control-regex -- binary data is told by the controls in it
const controls = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;

function kindOfBytes(head: string): Kind {
  const text = Buffer.from(head, "base64").toString("latin1");
  if (text.includes("%PDF-")) return "packed";
  if (pictures.test(text)) return "picture";
  if (sounds.test(text)) return "plain";
  // Compressed documents and films have more in them than bytes.
  return controls.test(text) || text.startsWith("PK") ? "packed" : "plain";
}
