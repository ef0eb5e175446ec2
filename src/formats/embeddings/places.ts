// How a vendor reads the fields of a request for embeddings.
import { every, objectWith } from "../kit/places/place.ts";

export const embeddingsPlaces = objectWith(every("model input user encoding_format", "text"));
