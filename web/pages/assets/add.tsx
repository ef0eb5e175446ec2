// Registers an asset: a file that is sent, or an address, which the gateway fetches and looks at.
import { useState } from "preact/hooks";
import type { OwnAssetView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { openId } from "../../core/place.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { wordsOf } from "../../kit/field.tsx";
import { select, text } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { AddFile } from "./from-file.tsx";
import { FromChoice, type From } from "./from.tsx";
import { t } from "./words.ts";

type Kind = OwnAssetView["kind"];

const endings: readonly (readonly [Kind, RegExp])[] = [
  ["video", /\.(?:mp4|mov|webm|mkv)$/i],
  ["audio", /\.(?:mp3|wav|m4a|flac|ogg)$/i],
];

/** Kind told by the end of an address, until the person says otherwise. */
function kindOf(url: string): Kind {
  const path = url.split(/[?#]/)[0] ?? "";
  return endings.find(([, ending]) => ending.test(path))?.[0] ?? "image";
}

export function AddAsset({ onClose }: { onClose(): void }) {
  const [from, setFrom] = useState<From>("file");
  if (from === "file") return <AddFile onFrom={setFrom} onClose={onClose} />;
  return <AddAddress onFrom={setFrom} onClose={onClose} />;
}

const assetForm = formOf<{ url: string; kind?: Kind; name?: string }>()(
  [
    text("url", { type: "url", isRequired: true, hasFocus: true }),
    select("kind", () => wordsOf(t().kinds)),
    text("name", { maxLength: 64 }),
  ],
  t,
);

function AddAddress({ onFrom, onClose }: { onFrom(from: From): void; onClose(): void }) {
  const words = t();
  const forming = useForm(assetForm, null);
  const { url, kind } = forming.draft;
  const add = useAction(async () => {
    const typed = forming.body();
    const body = { ...typed, kind: typed.kind ?? kindOf(typed.url) };
    const { id } = await send("POST /api/asset", { body });
    refresh("/api/asset");
    onClose();
    openId(id);
  });
  const shown = { ...forming, draft: { ...forming.draft, kind: kind || kindOf(String(url)) } };
  return (
    <FormDialog title={words.addTitle} submit={words.add} action={add} onClose={onClose}>
      <FromChoice value="url" onChange={onFrom} />
      <FormFields forming={shown} error={add.error} />
    </FormDialog>
  );
}
