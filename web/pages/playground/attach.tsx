// Pictures that go with a question: from disk, pasted, or dropped onto the box.
import { useRef } from "preact/hooks";
import { bytes } from "../../core/format.ts";
import { dataUrl, type Picture } from "../../core/text/formats.ts";
import { Button } from "../../kit/button.tsx";
import { showToast } from "../../kit/toast.tsx";
import { pictures } from "./state.ts";
import { t } from "./words.ts";

const kinds = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const bytesMax = 5_000_000;
const countMax = 4;

export function Attach() {
  const words = t();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={kinds.join(",")}
        multiple
        onChange={(event) => {
          void take(Array.from(event.currentTarget.files ?? []));
          event.currentTarget.value = "";
        }}
      />
      <Button
        kind="plain"
        isSmall
        icon="media"
        label={words.attach}
        isDisabled={pictures.value.length >= countMax}
        onClick={() => input.current?.click()}
      />
    </>
  );
}

export async function take(files: readonly File[]): Promise<void> {
  const words = t();
  for (const [at, file] of files.entries()) {
    // One from the clipboard has no name, or the same as all others.
    const name = file.name || `${at + 1}`;
    if (pictures.value.length >= countMax) return showToast(words.attachedMany(countMax));
    if (!kinds.includes(file.type) || file.size > bytesMax) {
      showToast(words.notAttached(name, bytes(bytesMax)));
      continue;
    }
    const base64 = await base64Of(file);
    pictures.value = [...pictures.value, { name, type: file.type, base64 }];
  }
}

/** The browser does it: what stands before the comma says what it is. */
function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });
}

/** Those of the next question, each with a way to leave it out. */
export function Attached() {
  const words = t();
  if (pictures.value.length === 0) return null;
  return (
    <ul class="attached" aria-label={words.attached}>
      {pictures.value.map((one, at) => (
        <li key={at}>
          <Thumb of={one} />
          <span class="cut">{one.name}</span>
          <Button
            kind="plain"
            isSmall
            icon="close"
            label={words.drop(one.name)}
            onClick={() => (pictures.value = pictures.value.filter((other) => other !== one))}
          />
        </li>
      ))}
    </ul>
  );
}

/** Beside the question that they were asked with. */
export function Pictures({ of }: { of: readonly Picture[] }) {
  if (of.length === 0) return null;
  return (
    <span class="attached">
      {of.map((one, at) => (
        <Thumb key={at} of={one} />
      ))}
    </span>
  );
}

function Thumb({ of }: { of: Picture }) {
  return <img src={dataUrl(of)} alt={of.name} title={of.name} />;
}
