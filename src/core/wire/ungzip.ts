// Nothing packed is asked for, but some send it: gzip is unpacked in small steps, because a few
// bytes can unpack to all of the memory. Nothing else is.
import { OutboundFailed, type Chunk } from "../outbound.ts";

export interface ChunkReader {
  read(): Promise<Chunk>;
  cancel(): Promise<void>;
}

/** `encoding` as the head says it; null where it is as it came. */
export function unpack(
  encoding: string | null,
  read: () => Promise<Chunk>,
  cancel: () => void,
): ChunkReader | null {
  if (encoding === null || encoding === "identity") return null;
  if (encoding !== "gzip") throw new OutboundFailed("unsupported content encoding");
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { value } = await read();
        if (value) controller.enqueue(new Uint8Array(value));
        else controller.close();
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
  return packed.pipeThrough(new DecompressionStream("gzip")).getReader();
}
