// The fields of a generateContent request as Google reads them.
import { bothSpelled, contentPlace } from "../kit/places/google-places.ts";
import { every } from "../kit/places/place.ts";

const searched = bothSpelled({
  vertexAiSearch: bothSpelled({
    datastore: "id",
    engine: "id",
    filter: "text",
    dataStoreSpecs: bothSpelled({ dataStore: "id", filter: "text" }),
  }),
  vertexRagStore: bothSpelled({
    ragCorpora: "id",
    ragResources: bothSpelled({ ragCorpus: "id", ragFileIds: "id" }),
  }),
});

const tools = bothSpelled({
  functionDeclarations: bothSpelled({
    ...every("name description behavior", "text"),
    ...every("parameters parametersJsonSchema response responseJsonSchema", "json"),
  }),
  fileSearch: bothSpelled({ fileSearchStoreNames: "id", metadataFilter: "text" }),
  retrieval: searched,
});

const generationConfig = bothSpelled({
  ...every("stopSequences responseMimeType", "text"),
  ...every("responseSchema responseJsonSchema _responseJsonSchema", "json"),
});

export const contentPlaces = bothSpelled({
  ...every("model serviceTier", "text"),
  labels: "json",
  contents: contentPlace,
  systemInstruction: contentPlace,
  tools,
  generationConfig,
  cachedContent: "id",
});
