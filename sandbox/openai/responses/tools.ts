// The tools of a request, which are flat here, and the choice among them.
import { compile, type Static, Type } from "../../../src/core/schema.ts";
import { check, checkKind } from "../check.ts";
import { Refusal } from "../errors.ts";
import { orNull } from "../schema.ts";
import { badChoice, type Choice, type Offer, offerCustom, offerFunction } from "../tools.ts";
import { closed } from "./parts.ts";
import { strictProblem } from "./strict-schema.ts";

const shared = {
  name: Type.String({ pattern: "^[a-zA-Z0-9_-]{1,128}$" }),
  description: orNull(Type.String()),
  allowed_callers: Type.Optional(Type.Unknown()),
  async: Type.Optional(Type.Boolean()),
  defer_loading: Type.Optional(Type.Boolean()),
};
const functionTool = Type.Object(
  {
    ...shared,
    type: Type.Literal("function"),
    parameters: orNull(Type.Object({})),
    strict: Type.Optional(Type.Boolean()),
    output_schema: Type.Optional(Type.Unknown()),
  },
  closed,
);
const customFormat = Type.Union([
  Type.Object({ type: Type.Literal("text") }, closed),
  Type.Object(
    {
      type: Type.Literal("grammar"),
      syntax: Type.Enum(["lark", "regex"]),
      definition: Type.String(),
    },
    closed,
  ),
]);
const customTool = Type.Object(
  { ...shared, type: Type.Literal("custom"), format: Type.Optional(customFormat) },
  closed,
);
const hostedTypes = [
  "file_search",
  "computer",
  "computer_use_preview",
  "web_search",
  "web_search_preview",
  "mcp",
  "code_interpreter",
  "programmatic_tool_calling",
  "image_generation",
  "local_shell",
  "shell",
  "tool_search",
  "apply_patch",
] as const;
const hostedTool = Type.Object({ type: Type.Enum([...hostedTypes]) });

const namespaceTool = Type.Object(
  {
    type: Type.Literal("namespace"),
    name: shared.name,
    description: Type.String(),
    tools: Type.Array(Type.Unknown(), { minItems: 1 }),
  },
  closed,
);

type FunctionTool = Static<typeof functionTool>;
type OwnTool = FunctionTool | Static<typeof customTool>;
interface NamespaceTool extends Omit<Static<typeof namespaceTool>, "tools"> {
  tools: OwnTool[];
}
type HostedTool = Static<typeof hostedTool>;
export type Tool = OwnTool | NamespaceTool | HostedTool;

const hostedChecker = compile(hostedTool);
const ownKinds = { function: compile(functionTool), custom: compile(customTool) };
const toolKinds = {
  ...ownKinds,
  namespace: compile(namespaceTool),
  ...Object.fromEntries(hostedTypes.map((type) => [type, hostedChecker])),
};
type GivenTool = OwnTool | Static<typeof namespaceTool> | HostedTool;

/** In the form in which the vendor repeats them. */
export function readTools(tools: readonly unknown[] | undefined, path = "tools"): Tool[] {
  return (tools ?? []).map((json, index) => {
    const at = `${path}[${index}]`;
    const tool = checkKind<GivenTool>(toolKinds, json, at);
    if (tool.type === "function") return withStrictness(tool, at);
    if (tool.type !== "namespace") return tool;
    const inner = tool.tools.map((own, place) => readOwn(own, `${at}.tools[${place}]`));
    return { ...tool, tools: inner };
  });
}

function readOwn(json: unknown, at: string): OwnTool {
  const tool = checkKind<OwnTool>(ownKinds, json, at);
  return isFunction(tool) ? withStrictness(tool, at) : tool;
}

function isFunction(tool: OwnTool): tool is FunctionTool {
  return tool.type === "function";
}

interface PlacedTool {
  tool: OwnTool;
  namespace: string | null;
}

/** The tools that the client runs, in namespaces or not. */
export function placeTools(tools: readonly Tool[]): PlacedTool[] {
  return tools.flatMap((tool): PlacedTool[] => {
    if (tool.type === "function" || tool.type === "custom") return [{ tool, namespace: null }];
    if (tool.type !== "namespace") return [];
    return tool.tools.map((own) => ({ tool: own, namespace: tool.name }));
  });
}

/** Unless the client says otherwise a tool is strict where its schema allows that. */
function withStrictness(tool: FunctionTool, at: string): FunctionTool {
  const problem = strictProblem(tool.parameters);
  if (tool.strict === true && problem !== null) {
    throw new Refusal(400, {
      message: `Invalid schema for function '${tool.name}': ${problem}`,
      param: `${at}.parameters`,
      code: "invalid_function_parameters",
    });
  }
  return { ...tool, strict: tool.strict ?? problem === null };
}

const named = Type.Object({ type: Type.Enum(["function", "custom"]), name: shared.name }, closed);
const allowed = Type.Object(
  {
    type: Type.Literal("allowed_tools"),
    mode: Type.Enum(["auto", "required"]),
    tools: Type.Array(Type.Object({ type: Type.String(), name: Type.Optional(Type.String()) })),
  },
  closed,
);
const namedChecker = compile(named);
const choiceKinds = {
  function: namedChecker,
  custom: namedChecker,
  allowed_tools: compile(allowed),
  ...Object.fromEntries(hostedTypes.map((type) => [type, hostedChecker])),
};
type GivenChoice = Static<typeof named> | Static<typeof allowed> | Static<typeof hostedTool>;
const modeChecker = compile(Type.Object({ tool_choice: Type.Enum(["none", "auto", "required"]) }));

export function readChoice(choice: unknown, tools: readonly Tool[]): Choice {
  const offers = placeTools(tools).map(({ tool }) => toOffer(tool));
  if (choice === undefined) return { mode: "auto", tools: offers };
  if (typeof choice === "string") {
    const { tool_choice: mode } = check(modeChecker, { tool_choice: choice });
    if (mode !== "required" || tools.length > 0) return { mode, tools: offers };
    throw badChoice("Tool choice 'required' must be specified with 'tools' parameter.");
  }
  const given = checkKind<GivenChoice>(choiceKinds, choice, "tool_choice");
  if ("mode" in given) {
    const names = given.tools.map(({ name }) => name);
    return { mode: given.mode, tools: offers.filter(({ name }) => names.includes(name)) };
  }
  // A hosted tool may be demanded; here it does nothing.
  if (!("name" in given)) return { mode: "none", tools: offers };
  const isCustom = given.type === "custom";
  const chosen = offers.filter((offer) => offer.name === given.name && offer.isCustom === isCustom);
  if (chosen.length > 0) return { mode: "required", tools: chosen };
  throw badChoice(`Tool choice '${given.name}' not found in 'tools' parameter.`);
}

function toOffer(tool: OwnTool): Offer {
  if (!isFunction(tool)) return offerCustom(tool.name);
  return offerFunction(tool.name, tool.parameters, tool.strict === true);
}
