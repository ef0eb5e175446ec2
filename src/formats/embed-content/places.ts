// How Google reads the fields of a request for embeddings.
import { bothSpelled, contentPlace } from "../kit/places/google-places.ts";
import { every } from "../kit/places/place.ts";

export const embedPlaces = bothSpelled({
  ...every("model taskType title", "text"),
  content: contentPlace,
});

export const batchEmbedPlaces = bothSpelled({ requests: embedPlaces });
