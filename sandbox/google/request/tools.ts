// The rules of tools and of the choice among them.
import { invalid } from "../errors.ts";
import type { FunctionDeclaration, GenerateRequest } from "./messages.ts";
import { checkSchema } from "./schema.ts";

const request = "GenerateContentRequest";
const functionName = /^[A-Za-z_][\w.:-]{0,63}$/;

type Offer = Pick<GenerateRequest, "tools" | "toolConfig">;

export function declarationsOf({ tools = [] }: Offer): FunctionDeclaration[] {
  return tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
}

export function checkTools(offer: Offer): void {
  (offer.tools ?? []).forEach(({ functionDeclarations = [] }, index) => {
    functionDeclarations.forEach((declaration, inner) =>
      checkDeclaration(declaration, `${request}.tools[${index}].function_declarations[${inner}]`),
    );
  });
  const names = declarationsOf(offer).map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`Duplicate function declaration found: ${twice}`);
  checkChoice(offer, names);
}

function checkDeclaration(declaration: FunctionDeclaration, at: string): void {
  const { name = "", parameters, parametersJsonSchema, response } = declaration;
  if (!functionName.test(name)) {
    throw invalid(
      `* ${at}.name: Invalid function name. Must start with a letter or an underscore. Must be ` +
        "alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), " +
        "with a maximum length of 64.",
    );
  }
  if (parameters && parametersJsonSchema !== undefined) {
    throw invalid(`* ${at}: parameters and parameters_json_schema are mutually exclusive.`);
  }
  if (parameters) checkSchema(parameters, `${at}.parameters`);
  if (response) checkSchema(response, `${at}.response`);
}

function checkChoice({ toolConfig }: Offer, names: readonly (string | undefined)[]): void {
  const choice = toolConfig?.functionCallingConfig;
  if (!choice) return;
  if (names.length === 0) {
    throw invalid("Function calling config is set without function_declarations.");
  }
  const { mode, allowedFunctionNames: allowed = [] } = choice;
  if (allowed.length > 0 && mode !== "ANY" && mode !== "VALIDATED") {
    throw invalid("allowed_function_names should only be set when the mode is ANY or VALIDATED.");
  }
  const unknown = allowed.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw invalid(`allowed_function_names has ${unknown}, which is not a declared function.`);
  }
}
