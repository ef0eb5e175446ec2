// From where an asset comes: an address, or a file of one's own.
import { Segments } from "../../kit/tabs.tsx";
import { t } from "./words.ts";

export type From = "url" | "file";

export function FromChoice({ value, onChange }: { value: From; onChange(value: From): void }) {
  const words = t();
  return (
    <Segments
      label={words.from}
      value={value}
      options={[
        ["file", words.file],
        ["url", words.url],
      ]}
      onChange={onChange}
    />
  );
}
