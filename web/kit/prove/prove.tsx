// A second look before what cannot be taken back: a second factor where there is one, or else the
// password.
import { useState } from "preact/hooks";
import { useAction } from "../../core/api.ts";
import { get, send, useAnswer } from "../../core/control.ts";
import { Button } from "../button.tsx";
import { FormDialog } from "../dialog.tsx";
import { Refusal } from "../failure.tsx";
import { PasswordField } from "../field.tsx";
import { t } from "./words.ts";

export type Proof = { password: string } | { code: string } | { ticket: string; passkey: object };

const at = "GET /api/user/self/second-factor";

interface ProveOptions {
  title: string;
  /** Consequence of the act, where it cannot be undone. */
  effect?: string;
  isDanger?: boolean;
  run(proof: Proof): Promise<void>;
  /** After it was done, and where nothing else is said also when it is given up. */
  onClose(): void;
  onCancel?: () => void;
}

/** Asks for what the account has: a passkey, a code of the app or on paper, or the password. */
export function Prove({
  title,
  effect,
  isDanger = false,
  run,
  onClose,
  onCancel = onClose,
}: ProveOptions) {
  const { data: own } = useAnswer(at);
  const kinds = own?.second_factor ?? [];
  const [text, setText] = useState("");
  const act = useAction(async () => {
    // Typing may be faster than the answer that the hint waits for.
    const { second_factor: asked } = own ?? (await get(at));
    await run(asked.length > 0 ? { code: text.trim() } : { password: text });
    onClose();
  });
  const byPasskey = useAction(async () => {
    const { usePasskey } = await import("../../core/passkey.ts");
    const { ticket, passkey } = await send("POST /api/user/self/second-factor/challenge", {
      body: {},
    });
    await run({ ticket, passkey: await usePasskey(passkey) });
    onClose();
  });
  return (
    <FormDialog title={title} submit={t().goOn} action={act} isDanger={isDanger} onClose={onCancel}>
      {effect !== undefined && <p class="quiet wrap">{effect}</p>}
      {kinds.includes("passkey") && "PublicKeyCredential" in globalThis && (
        <>
          <Button icon="key" isBusy={byPasskey.isBusy} onClick={() => void byPasskey.run()}>
            {t().usePasskey}
          </Button>
          <Refusal error={byPasskey.error} />
        </>
      )}
      <PasswordField
        label={t().prove}
        hint={hintOf(kinds)}
        value={text}
        onInput={setText}
        autoComplete={kinds.length > 0 ? "one-time-code" : "current-password"}
        isRequired
        hasFocus
      />
    </FormDialog>
  );
}

function hintOf(kinds: readonly string[]): string {
  if (kinds.length === 0) return t().provePassword;
  return kinds.includes("totp") ? t().proveCode : t().provePaper;
}
