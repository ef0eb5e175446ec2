// Rules of a conversation: who may speak, what a part may hold, where calls and their responses
// stand, and which signatures are due.
import { invalid } from "../errors.ts";
import { isGenuine, isSigning } from "../signatures.ts";
import type { Content, Part } from "./messages.ts";

const dataFields = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
] as const satisfies (keyof Part)[];
const mediaTypes = /^(?:image|audio|video|text)\/|^application\/(?:pdf|json|rtf|xml)$/;
const request = "GenerateContentRequest";
const missingSignature =
  "Function call is missing a thought_signature in functionCall parts. This is required for " +
  "tools to work correctly, and missing thought_signature may lead to degraded model performance.";

export function checkContents(contents: readonly Content[], model: string): void {
  contents.forEach((content, index) => checkContent(content, index, contents.length));
  const turns = joinTurns(contents);
  turns.forEach((turn, index) => checkTurn(turn, index, turns));
  if (contents.at(-1)?.role === "model") {
    throw invalid("Please ensure that multiturn requests end with a user role.");
  }
  if (isSigning(model)) checkSignaturesDue(turns);
}

/** The vendor's own client keeps each piece of a streamed answer as a content of its own. */
function joinTurns(contents: readonly Content[]): Content[] {
  const turns: Content[] = [];
  for (const content of contents) {
    const last = turns.at(-1);
    if (content.role === "model" && last?.role === "model") {
      turns[turns.length - 1] = {
        ...last,
        parts: [...(last.parts ?? []), ...(content.parts ?? [])],
      };
    } else turns.push(content);
  }
  return turns;
}

export function requireContents(contents: Content[] | undefined): Content[] {
  if (contents && contents.length > 0) return contents;
  throw invalid(`* ${request}.contents: contents is not specified`);
}

export function checkParts(parts: readonly Part[] | undefined, at: string): void {
  if (!parts || parts.length === 0) throw invalid(`* ${at}.parts: must not be empty.`);
  parts.forEach((part, index) => checkPart(part, `${at}.parts[${index}]`));
}

function callsOf({ parts = [] }: Content) {
  return parts.flatMap(({ functionCall }) => functionCall ?? []);
}

export function responsesOf({ parts = [] }: Content) {
  return parts.flatMap(({ functionResponse }) => functionResponse ?? []);
}

/** A user's content that is more than responses to calls begins a turn. */
export function isQuestion({ role, parts = [] }: Content): boolean {
  return role !== "model" && parts.some(({ functionResponse }) => !functionResponse);
}

function checkContent({ role, parts }: Content, index: number, count: number): void {
  const isNamed = role === "user" || role === "model";
  // A single content without a role is the user's.
  if (!isNamed && (role !== undefined || count > 1)) {
    throw invalid("Please use a valid role: user, model.");
  }
  checkParts(parts, `${request}.contents[${index}]`);
}

function checkPart(part: Part, at: string): void {
  const [first, second] = dataFields.filter((name) => part[name] !== undefined);
  if (first === undefined) {
    throw invalid(`* ${at}.data: required oneof field 'data' must have one initialized field`);
  }
  if (second !== undefined) {
    const said = `oneof field 'data' is already set. Cannot set '${second}'`;
    throw invalid(`Invalid value at '${at}' (oneof), ${said}`);
  }
  checkMedia(part, at);
  const { functionCall: call, functionResponse: response, thoughtSignature } = part;
  if ((call && !call.name) || (response && !response.name)) {
    throw invalid(`* ${at}.${call ? "function_call" : "function_response"}.name: cannot be empty.`);
  }
  if (response && !response.response) {
    throw invalid(`* ${at}.function_response.response: must be a struct.`);
  }
  if (thoughtSignature !== undefined && !isGenuine(thoughtSignature, part)) {
    throw invalid("Thought signature is not valid.");
  }
}

function checkMedia({ inlineData, fileData }: Part, at: string): void {
  if (fileData && !fileData.fileUri) throw invalid(`* ${at}.file_data.file_uri: is required.`);
  if (!inlineData) return;
  if (!inlineData.mimeType) throw invalid(`* ${at}.inline_data.mime_type: is required.`);
  if (!inlineData.data) throw invalid(`* ${at}.inline_data.data: is required.`);
  if (!mediaTypes.test(inlineData.mimeType)) {
    throw invalid(`Unsupported MIME type: ${inlineData.mimeType}`);
  }
}

/** A call comes right after the user, and its response, one for each, right after the call. */
function checkTurn(content: Content, index: number, contents: readonly Content[]): void {
  const calls = callsOf(content);
  const responses = responsesOf(content);
  const before = contents[index - 1];
  const isModel = content.role === "model";
  if (calls.length > 0 && (!isModel || !before || before.role === "model")) {
    throw invalid(
      "Please ensure that function call turn comes immediately after a user turn or after a " +
        "function response turn.",
    );
  }
  const asked = before ? callsOf(before) : [];
  if (responses.length > 0 && (isModel || asked.length === 0)) {
    throw invalid(
      "Please ensure that function response turn comes immediately after a function call turn.",
    );
  }
  if (responses.length !== asked.length) {
    throw invalid(
      "Please ensure that the number of function response parts is equal to the number of " +
        "function call parts of the function call turn.",
    );
  }
  checkAnswered(asked, responses);
}

interface Named {
  id?: string;
  name?: string;
}

/** Match by id where both have one, otherwise by name. */
function checkAnswered(asked: readonly Named[], responses: readonly Named[]): void {
  const open = [...asked];
  for (const { id, name } of responses) {
    const at = open.findIndex((call) => {
      const isBound = id !== undefined && call.id !== undefined;
      return call.name === name && (!isBound || call.id === id);
    });
    if (at === -1) {
      throw invalid(`Function response \`${name}\` matches no function call of the turn before.`);
    }
    open.splice(at, 1);
  }
}

/** Only the first of calls that were made together is signed. */
function checkSignaturesDue(contents: readonly Content[]): void {
  const from = contents.findLastIndex(isQuestion);
  contents.forEach(({ role, parts = [] }, index) => {
    if (index < from || role !== "model") return;
    const at = parts.findIndex(({ functionCall }) => functionCall);
    const call = parts[at];
    if (!call || call.thoughtSignature !== undefined) return;
    const where = `function call \`${call.functionCall?.name}\`, position ${at + 1}`;
    throw invalid(`${missingSignature} Additional data, ${where}.`);
  });
}
