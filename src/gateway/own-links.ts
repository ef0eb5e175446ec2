// Links to media in the answer to a request: they name the address that the client itself called,
// where the operator has not said by which one the gateway is reached.
import type { MediaStore } from "../media/media.ts";

export type Links = Pick<MediaStore, "link">;

/** Only for what this client reads: others may reach the gateway by another address. */
export function linksFor(media: Links, reader: { readonly address: string | null }): Links {
  const { address } = reader;
  return { link: (id) => media.link(id, address) };
}
