// Sources of the media in a block.
import { type Static, Type } from "../../../src/core/schema.ts";
import { closed, reader, type Readers } from "./read.ts";

const bytesSource = (mediaTypes: string[]) =>
  Type.Object(
    { type: Type.Literal("base64"), media_type: Type.Enum(mediaTypes), data: Type.String() },
    closed,
  );
const urlSource = Type.Object({ type: Type.Literal("url"), url: Type.String() }, closed);
const fileSource = Type.Object({ type: Type.Literal("file"), file_id: Type.String() }, closed);
const textSource = Type.Object(
  {
    type: Type.Literal("text"),
    media_type: Type.Literal("text/plain"),
    data: Type.String(),
  },
  closed,
);
const contentSource = Type.Object(
  { type: Type.Literal("content"), content: Type.Unknown() },
  closed,
);

interface BytesSource {
  type: "base64";
  media_type: string;
  data: string;
}
export type Source =
  | BytesSource
  | Static<typeof urlSource>
  | Static<typeof fileSource>
  | Static<typeof textSource>
  | Static<typeof contentSource>;

export const imageSources: Readers<Source> = {
  base64: reader(bytesSource(["image/jpeg", "image/png", "image/gif", "image/webp"])),
  url: reader(urlSource),
  file: reader(fileSource),
};
export const documentSources: Readers<Source> = {
  base64: reader(bytesSource(["application/pdf"])),
  text: reader(textSource),
  content: reader(contentSource),
  url: reader(urlSource),
  file: reader(fileSource),
};
