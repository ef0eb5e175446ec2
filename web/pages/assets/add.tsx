// Registers an asset: a file that is sent, or an address, which the gateway fetches and looks at.
import { useState } from "preact/hooks";
import type { OwnAssetView } from "../../../src/admin/contract.ts";
import { call, refresh, useAction } from "../../core/api.ts";
import { openId } from "../../core/place.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { faultOf, Select, TextField } from "../../kit/field.tsx";
import { AddFile } from "./from-file.tsx";
import { FromChoice, type From } from "./from.tsx";
import { t } from "./words.ts";

type Kind = OwnAssetView["kind"];

const endings: readonly (readonly [Kind, RegExp])[] = [
  ["video", /\.(?:mp4|mov|webm|mkv)$/i],
  ["audio", /\.(?:mp3|wav|m4a|flac|ogg)$/i],
];

/** What the end of an address says it is, until the person says otherwise. */
function kindOf(url: string): Kind {
  const path = url.split(/[?#]/)[0] ?? "";
  return endings.find(([, ending]) => ending.test(path))?.[0] ?? "image";
}

export function AddAsset({ onClose }: { onClose(): void }) {
  const [from, setFrom] = useState<From>("file");
  if (from === "file") return <AddFile onFrom={setFrom} onClose={onClose} />;
  return <AddAddress onFrom={setFrom} onClose={onClose} />;
}

function AddAddress({ onFrom, onClose }: { onFrom(from: From): void; onClose(): void }) {
  const words = t();
  const [url, setUrl] = useState("");
  const [name, setName] = useState("");
  const [chosen, setKind] = useState<Kind | null>(null);
  const kind = chosen ?? kindOf(url);
  const add = useAction(async () => {
    const title = name.trim();
    const body = { url: url.trim(), kind, ...(title !== "" && { name: title }) };
    const { id } = await call<OwnAssetView>("POST", "/api/asset", body);
    refresh("/api/asset");
    onClose();
    openId(id);
  });
  return (
    <FormDialog
      title={words.addTitle}
      submit={words.add}
      action={add}
      onSubmit={() => void add.run()}
      onClose={onClose}
    >
      <FromChoice value="url" onChange={onFrom} />
      <TextField
        label={words.url}
        hint={words.urlHint}
        type="url"
        value={url}
        onInput={setUrl}
        fault={faultOf(add.error, "url")}
        isRequired
        hasFocus
      />
      <Select
        label={words.kind}
        value={kind}
        options={[
          ["image", words.kinds.image],
          ["video", words.kinds.video],
          ["audio", words.kinds.audio],
        ]}
        onChange={(next: Kind) => setKind(next)}
        fault={faultOf(add.error, "kind")}
      />
      <TextField
        label={words.name}
        hint={words.nameHint}
        value={name}
        onInput={setName}
        fault={faultOf(add.error, "name")}
        maxLength={64}
      />
    </FormDialog>
  );
}
