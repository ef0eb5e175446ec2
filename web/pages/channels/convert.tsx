// Dry run of a conversion, with the vendor's request and the client's answer, unsent.
import { useState } from "preact/hooks";
import type { BodyOf } from "../../core/control.ts";
import type { ConvertView } from "../../../src/admin/contract.ts";
import { useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { useEvery } from "../../core/lists/every.ts";
import { query, setQuery } from "../../core/place.ts";
import { Button } from "../../kit/button.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { faultOf, Select, TextArea } from "../../kit/field.tsx";
import { Card } from "../../kit/figures.tsx";
import { Converted } from "./converted.tsx";
import { useKinds } from "./kinds.ts";
import { t } from "./tool-words.ts";

const example = JSON.stringify(
  { model: "", messages: [{ role: "user", content: "Hello" }] },
  null,
  2,
);

type Ask = BodyOf<"POST /api/convert">;
type JsonObject = Ask["body"];

/** Some vendor of a format: the gateway itself names those to choose from. */
const vendorOf = (format: string) => ({ dialect: format }) as Pick<Ask, "dialect">;

export function Conversion() {
  const words = t();
  const { rows: channels } = useEvery("GET /api/channel");
  const [request, setRequest] = useState(example);
  const [reply, setReply] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [view, setView] = useState<ConvertView | null>(null);
  const { formats = [], client_formats: clientFormats = [] } = useKinds() ?? {};
  const format = query.value.get("format") ?? clientFormats[0] ?? "";
  const to = query.value.get("to") ?? formats.find((one) => one !== format) ?? "";
  const run = useAction(async () => {
    const body = readJson(request);
    setFault(body === undefined ? t().wrongJson : null);
    if (body === undefined) return;
    const target = formats.includes(to) ? vendorOf(to) : { channel: to };
    const answer = reply.trim() === "" ? {} : { reply: readJson(reply) ?? reply };
    setView(await send("POST /api/convert", { body: { format, body, ...target, ...answer } }));
  });
  const targets = [
    ...formats.map((name) => [name, words.someVendor(name)] as const),
    ...channels.map(({ id, name }) => [id, name] as const),
  ];
  return (
    <>
      <p class="quiet">{words.convertHint}</p>
      <div class="columns">
        <Card>
          <div class="pair">
            <Select
              label={words.clientFormat}
              value={format}
              options={clientFormats.map((name) => [name, name] as const)}
              onChange={(next) => setQuery({ format: next })}
            />
            <Select
              label={words.to}
              value={to}
              options={targets}
              onChange={(next) => setQuery({ to: next })}
            />
          </div>
          <TextArea
            label={words.body}
            hint={words.bodyHint}
            fault={fault ?? faultOf(run.error, "body")}
            rows={12}
            isMono
            value={request}
            onInput={setRequest}
          />
          <TextArea
            label={words.reply}
            hint={words.replyHint}
            rows={5}
            isMono
            value={reply}
            onInput={setReply}
          />
          <Refusal error={run.error} />
          <div>
            <Button kind="main" icon="arrow" isBusy={run.isBusy} onClick={() => void run.run()}>
              {words.run}
            </Button>
          </div>
        </Card>
        {view && <Converted view={view} />}
      </div>
    </>
  );
}

function readJson(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}
