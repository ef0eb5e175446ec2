// sluice api: any route of the control plane, for what has no command of its own.
import { InvalidArgumentError, type Command } from "commander";
import { addCommand, control, printJson, readSecret, type CommandNeeds } from "./command.ts";
import type { ControlMethod } from "./control-client.ts";

export function addApiCommand(program: Command, needs: CommandNeeds): void {
  addCommand(program, "api", {
    description: "call a route of /api and print its data; /docs of a gateway lists them",
    examples: [
      "sluice api GET '/api/audit?page_size=5'",
      'sluice api PATCH /api/user/acc_01jz3k7m2n \'{"group": "partners"}\'',
      "sluice api POST /api/invitation - < invitation.json",
    ],
  })
    .argument("<method>", "GET, POST, PATCH or DELETE", methodArgument)
    .argument("<path>", "with its query, such as /api/status")
    .argument("[body]", "JSON; - reads it from the standard input")
    .action((method: ControlMethod, path: string, body: string | undefined) =>
      control(needs, async (client) => {
        const sent = body === undefined ? undefined : await readSecret(needs.terminal, body);
        printJson(needs.terminal, await client.call(method, path, sent));
      }),
    );
}

const methods: readonly ControlMethod[] = ["GET", "POST", "PATCH", "DELETE"];

function methodArgument(text: string): ControlMethod {
  const method = methods.find((one) => one === text.toUpperCase());
  if (method) return method;
  throw new InvalidArgumentError(`It must be one of ${methods.join(", ")}.`);
}
