// One setting: what it does, what it is, and what would change it.
import type { SettingView } from "../../../src/admin/contract.ts";
import { openId } from "../../core/place.ts";
import { Badge } from "../../kit/badge.tsx";
import { Code } from "../../kit/code.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Facts } from "../../kit/figures.tsx";
import { textOf, type Value } from "./text.ts";
import { t } from "./words.ts";

interface DetailOptions {
  setting: SettingView;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

export function SettingDetail({ setting, onPrevious, onNext }: DetailOptions) {
  const words = t();
  const { name, source, variable, live, pending, description } = setting;
  return (
    <Drawer title={name} {...{ onPrevious, onNext }} onClose={() => openId(null)}>
      <p class="wrap">{description}</p>
      {pending !== null && <p class="notice warn wrap">{words.pending(textOf(pending))}</p>}
      <Facts
        pairs={[
          [words.value, <Shown value={setting.value} />],
          [words.usual, <Shown value={setting.default} />],
          [words.source, <Badge>{words.sources[source]}</Badge>],
          variable !== null && [words.variable, <span class="mono">{variable}</span>],
          [words.takesEffect, live ? words.byReload : words.byRestart],
        ]}
      />
      {name.includes(".") && (
        <>
          <h3>{words.asYaml}</h3>
          <Code text={yamlOf(name, setting.value)} />
        </>
      )}
    </Drawer>
  );
}

function Shown({ value }: { value: Value }) {
  return <span class="mono">{textOf(value)}</span>;
}

/** JSON is YAML too, so the value itself needs no writer of its own. */
function yamlOf(name: string, value: Value): string {
  const parts = name.split(".");
  const lines = parts.map((part, at) => `${"  ".repeat(at)}${part}:`);
  return `${lines.join("\n")} ${JSON.stringify(value)}`;
}
