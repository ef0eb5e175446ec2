// A finished task with its pictures in base64, written from storage as the client reads: a picture
// is in memory only by a small part at a time.
import { GatewayError } from "../../../core/errors.ts";
import type { MediaStore, OpenMedia } from "../../../media/media.ts";
import type { KeptImage, Task } from "../../../tasks/task.ts";
import type { ByteSource } from "../../answer.ts";
import { encodeBase64 } from "../held/base64.ts";
import { PiecesSource } from "../../stream/pieces-source.ts";
import { renderAround, renderRevised } from "./render.ts";

interface OpenImage {
  item: KeptImage;
  media: OpenMedia;
}

/** Throws when a picture is not kept any more. */
export async function openBase64Task(store: MediaStore, task: Task): Promise<ByteSource> {
  const { result } = task;
  const items = result?.kind === "images" ? result.items : [];
  const images: OpenImage[] = [];
  for (const item of items) {
    const media = await store.open(item.mediaId);
    if (!media) {
      throw new GatewayError("not_found", { message: "The image is not kept any more." });
    }
    images.push({ item, media });
  }
  return new PiecesSource(pieces(task, images));
}

const encoder = new TextEncoder();

async function* pieces(task: Task, images: readonly OpenImage[]): AsyncIterable<Uint8Array> {
  const around = JSON.stringify(renderAround(task)).slice(0, -1);
  yield encoder.encode(`${around},"data":[`);
  for (const [at, { item, media }] of images.entries()) {
    yield encoder.encode(`${at === 0 ? "" : ","}{"b64_json":"`);
    yield* encodeBase64(partsOf(media));
    const rest = JSON.stringify(renderRevised(item)).slice(1);
    yield encoder.encode(rest === "}" ? '"}' : `",${rest}`);
  }
  yield encoder.encode("]}");
}

const partBytes = 768 * 1024;

async function* partsOf(media: OpenMedia): AsyncIterable<Uint8Array> {
  for (let start = 0; start < media.bytes; start += partBytes) {
    const part = media.part(start, Math.min(start + partBytes, media.bytes));
    yield part instanceof Blob ? await part.bytes() : await Bun.readableStreamToBytes(part);
  }
}
