// Nothing packed is asked for, but some send it: gzip is unpacked in small steps, because a few
// bytes can unpack to all of the memory. Nothing else is.
import type { Chunk } from "./outbound.ts";

export interface ChunkReader {
  read(): Promise<Chunk>;
  cancel(): Promise<void>;
}

export function ungzip(read: () => Promise<Chunk>, cancel: () => void): ChunkReader {
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
