// Makes the lists of places from the types that vendors publish with their clients:
//
//   node_modules/.bin/bun test/holds/places/extract.ts
//
// A list has every type that a request body of the wire can hold, with its fields; the generator
// walks it. A newer client of a vendor brings its new places by running this again.
import { join } from "node:path";
import { TypeReader, type Declared, type Shape } from "./parse-types.ts";

const modules = join(import.meta.dir, "../../../node_modules");

interface Wire {
  name: string;
  files: readonly string[];
  root: string;
  /** Types that the clients put together themselves, in the same language. */
  also?: string;
}

const openai = [
  "openai/resources/shared.d.ts",
  "openai/resources/chat/completions/completions.d.ts",
  "openai/resources/completions.d.ts",
  "openai/resources/embeddings.d.ts",
  "openai/resources/responses/responses.d.ts",
  "openai/resources/graders/grader-models.d.ts",
  "openai/resources/conversations/conversations.d.ts",
  "openai/resources/vector-stores/vector-stores.d.ts",
];
const google = ["@google/genai/dist/genai.d.ts"];

const wires: readonly Wire[] = [
  { name: "chat", files: openai, root: "ChatCompletionCreateParamsBase" },
  { name: "completions", files: openai, root: "CompletionCreateParamsBase" },
  { name: "embeddings", files: openai, root: "EmbeddingCreateParams" },
  { name: "responses", files: openai, root: "ResponseCreateParamsBase" },
  {
    name: "messages",
    files: ["@anthropic-ai/sdk/resources/beta/messages/messages.d.ts"],
    root: "MessageCreateParamsBase",
  },
  {
    name: "content",
    files: google,
    root: "WireContent",
    also: `interface WireContent { contents: Content[]; systemInstruction?: Content; tools?: Tool[];
      toolConfig?: ToolConfig; safetySettings?: SafetySetting[]; cachedContent?: string;
      serviceTier?: string; labels?: Record<string, string>; generationConfig?: GenerateContentConfig }`,
  },
  {
    name: "embedContent",
    files: google,
    root: "WireEmbed",
    also: "interface WireEmbed extends EmbedContentConfig { content: Content }",
  },
  {
    name: "batchEmbedContents",
    files: google,
    root: "WireBatch",
    also: `interface WireBatch { requests: WireEmbed[] }
      interface WireEmbed extends EmbedContentConfig { content: Content; model: string }`,
  },
];

/** A field that may be left out ends in "?". */
type PlaceList = Record<string, Record<string, Shape>>;

class Gathered {
  readonly places: PlaceList = {};
  readonly #declared: Declared;

  constructor(declared: Declared) {
    this.#declared = declared;
  }

  /** Takes a type with all that it leads to, and returns how it is called. */
  take(name: string, scope: string): Shape {
    const known = this.#resolve(name, scope);
    if (known === null) return "anything";
    const type = this.#declared.get(known);
    if (type?.alias !== undefined) return this.#walk(type.alias, known);
    if (this.places[known] === undefined) {
      const fields: Record<string, Shape> = (this.places[known] = {});
      for (const owner of this.#line(known)) {
        for (const [field, { shape, isOptional }] of Object.entries(
          this.#declared.get(owner)?.fields ?? {},
        )) {
          fields[isOptional ? `${field}?` : field] = this.#walk(shape, owner);
        }
      }
    }
    return { type: known };
  }

  /** A type and those that it goes on from. */
  #line(name: string): string[] {
    const bases = this.#declared.get(name)?.bases ?? [];
    const known = bases.map((base) => this.#resolve(base, name)).filter((base) => base !== null);
    return [name, ...known.flatMap((base) => this.#line(base))];
  }

  /** A name as it is seen from inside another: a namespace's own first, then the file's. */
  #resolve(name: string, scope: string): string | null {
    const inside = scope.split("#")[0]?.split(".") ?? [];
    for (let depth = inside.length; depth >= 0; depth--) {
      const full = [...inside.slice(0, depth), name].join(".");
      if (this.#declared.has(full)) return full;
    }
    const rest = name.split(".").slice(1).join(".");
    return rest === "" ? null : this.#resolve(rest, scope);
  }

  #open = new Set<string>();

  #walk(shape: Shape, scope: string): Shape {
    if (typeof shape === "string" || "literal" in shape) return shape;
    if ("list" in shape) return { list: this.#walk(shape.list, scope) };
    if ("map" in shape) return { map: this.#walk(shape.map, scope) };
    if ("oneOf" in shape) return flat(shape.oneOf.map((one) => this.#walk(one, scope)));
    const key = `${scope} ${shape.type}`;
    if (this.#open.has(key)) return "anything";
    this.#open.add(key);
    const taken = this.take(shape.type, scope);
    this.#open.delete(key);
    return taken;
  }
}

/** A choice among choices is one; of words, a few will do. */
function flat(shapes: readonly Shape[]): Shape {
  const all = shapes.flatMap((one) =>
    typeof one === "object" && "oneOf" in one ? one.oneOf : [one],
  );
  const seen = new Map(all.map((one) => [JSON.stringify(one), one]));
  const isLiteral = (one: Shape) => typeof one === "object" && "literal" in one;
  const literals = [...seen.values()].filter(isLiteral);
  const others = [...seen.values()].filter((one) => one !== "null" && !isLiteral(one));
  const oneOf = [...literals.slice(0, literalsMax), ...others];
  const [only] = oneOf;
  return oneOf.length === 1 && only !== undefined ? only : { oneOf };
}

const literalsMax = 4;

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

for (const { name, files, root, also } of wires) {
  const reader = new TypeReader();
  for (const file of files) reader.read(await Bun.file(join(modules, file)).text());
  if (also !== undefined) reader.read(also);
  const gathered = new Gathered(reader.declared);
  gathered.take(root, "");
  // The client takes these among its settings, and sends them beside them.
  const sentBeside = Object.keys(gathered.places[root] ?? {});
  for (const field of sentBeside) delete gathered.places["GenerateContentConfig"]?.[field];
  const packages = [
    ...new Set(files.map((file) => file.split("/resources/")[0]?.split("/dist/")[0])),
  ];
  const madeFrom: string[] = [];
  for (const one of packages) {
    const { version } = await Bun.file(join(modules, `${one}/package.json`)).json();
    madeFrom.push(`${one} ${version}`);
  }
  const list = { madeFrom, root, types: gathered.places };
  await Bun.write(join(import.meta.dir, `${kebab(name)}.json`), JSON.stringify(list) + "\n");
  const fieldCount = Object.values(gathered.places).reduce(
    (sum, fields) => sum + Object.keys(fields).length,
    0,
  );
  console.log(`${name}: ${Object.keys(gathered.places).length} types, ${fieldCount} fields`);
}
